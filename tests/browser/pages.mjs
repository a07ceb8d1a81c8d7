// The pages, as data: what each must show is read from its document, never from the page.
//
// path       the page; `document`, the JSON it is made of
// rows       the texts that its table must have as row headers, in order
// filters    fields to set, the address that this must give, and which rows are then left
// links      addresses, and the element that each must bring into view
// sorted     a column, and its cells in ascending order

import { read } from "./made.mjs";

const ids = (cases) => cases.map(({ id }) => id);
const number = (n) => n.toLocaleString("en");

/** What filters of cases have in common. */
function filtersOfCases(document, noun, more) {
  const filters = [
    { set: { operator: "Sqrt" }, hash: "#operator=Sqrt", keeps: (one) => one.operator === "Sqrt" },
    { set: { type: "int8" }, hash: "#type=int8", keeps: (one) => one.types.includes("int8") },
    {
      set: { text: "FLOAT16 normal_by" },
      hash: "#text=FLOAT16+normal_by",
      keeps: ({ id }) => id.includes("float16") && id.includes("normal_by"),
    },
    { set: { text: "no such words" }, hash: "#text=no+such+words", keeps: () => false },
    ...more,
  ];
  return filters.map(({ set, hash, keeps }) => {
    const rows = ids(document.cases.filter(keeps));
    return { set, hash, rows, shown: `${number(rows.length)} of ${number(document.cases.length)} ${noun} shown` };
  });
}

function report(name, path) {
  const document = read(`${path}/report.json`);
  const all = document.cases;
  const failed = all.findLast(({ verdict }) => verdict === "fail");
  const [requirement] = document.requirements.filter(({ cases }) => cases.length).slice(-1);
  const last = all.at(-1);
  const elements = (one) => one.outputs.reduce((sum, output) => sum + output.elements, 0);
  return {
    name,
    path: `${path}/report.html`,
    rows: ids(all),
    filters: filtersOfCases(document, "cases", [
      { set: { verdict: ["pass"] }, hash: "#verdict=pass", keeps: (one) => one.verdict === "pass" },
      {
        set: { verdict: ["fail", "crash"], text: "div", type: "float16" },
        hash: "#text=div&type=float16&verdict=fail,crash",
        keeps: (one) =>
          ["fail", "crash"].includes(one.verdict) && one.types.includes("float16") && one.id.includes("div"),
      },
    ]),
    links: [
      { hash: `#case-${failed.id}`, shows: `[id="case-${failed.id}"]`, says: failed.id },
      { hash: `#r${all.length}`, shows: `#r${all.length}`, says: last.id },
      { hash: `#requirement-${requirement.id}`, shows: `#requirement-${requirement.id}`, says: requirement.id },
      { hash: "#provenance", shows: "#provenance h2", says: "Provenance" },
    ],
    sorted: { column: "Elements", cells: all.filter(({ outputs }) => outputs.length).map(elements).sort((a, b) => a - b).map(number) },
  };
}

function scoreboard(name, path) {
  const document = read(`${path}/scoreboard.json`);
  const all = document.cases;
  const disagreements = new Map(document.disagreements.map((one) => [one.case, one]));
  const disagreement = document.disagreements.at(-1).case;
  return {
    name,
    path: `${path}/scoreboard.html`,
    rows: ids(all),
    filters: filtersOfCases(document, "cases", [
      {
        set: { verdict: ["fail"] },
        hash: "#verdict=fail",
        keeps: ({ backends }) => backends.some((cell) => cell?.verdict === "fail"),
      },
      { set: { decided: "any" }, hash: "#decided=any", keeps: ({ id }) => disagreements.has(id) },
      {
        set: { outlier: "parrot", decided: "oracle" },
        hash: "#decided=oracle&outlier=parrot",
        keeps: ({ id }) => {
          const one = disagreements.get(id);
          return one?.decided_by === "oracle" && one.outliers.some(({ backend }) => document.backends[backend].name === "parrot");
        },
      },
    ]),
    links: [
      { hash: `#case-${disagreement}`, shows: `[id="case-${disagreement}"]`, says: disagreement },
      { hash: `#r${all.length}`, shows: `#r${all.length}`, says: all.at(-1).id },
      ...document.hard_questions.slice(-1).map(({ id, title }) => ({ hash: `#hard-${id}`, shows: `#hard-${id}`, says: title })),
    ],
    sorted: { column: "Case", cells: ids(all).sort(new Intl.Collator("en", { numeric: true }).compare) },
  };
}

function campaign(name, path) {
  const document = read(`${path}/campaign.json`);
  const links = [{ hash: "#requirements", shows: "#requirements .ids", says: document.requirements.at(-1) }];
  if (document.mismatches) {
    const { index } = document.counterexamples.first[0];
    links.push({ hash: "#counterexamples", shows: "#counterexamples table >> nth=0", says: `${index}` });
  }
  return { name, path: `${path}/campaign.html`, links };
}

/** Pages of which everything is tested. */
export const pages = () => [
  report("report", "moody"),
  scoreboard("scoreboard", "scoreboard"),
  campaign("campaign", "campaign"),
  campaign("campaign with mismatches", "campaign-wrong"),
  campaign("campaign of many parts", "campaign-parts"),
];

/** Pages of thousands of rows. */
export const largePages = () => [report("report", "all-wrong"), scoreboard("scoreboard", "scoreboard-all")];
