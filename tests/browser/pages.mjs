// The pages, as data: what each must show is read from its document, never from the page.
//
// path       the page
// row        what filters show and hide: selectors of all and of the link within each that is its label, and where that leads
// rows       the labels, in order
// unscripted the labels that are there without a script, where these are not all
// filters    fields to set, the address that this must give, and which rows are then left
// links      addresses, and the element that each must bring into view, unfolding it where it is folded
// leads      links to other pages: what to unfold first, where they are, and the element that they must bring into view
// sorted     a column, and its cells in ascending order
// printed    the ids of what is printed in full, where that is not everything
// whole      tables, and on which screens no column of them may be cut off
// results    what came of the first case, which has to be beside its name on a narrow screen

import { NARROW, WIDE } from "./browser.mjs";
import { read } from "./made.mjs";

/** Cases as the page of a report has them: what did not pass first. */
const othersFirst = (cases) => [...cases.filter(({ verdict }) => verdict !== "pass"), ...cases.filter(({ verdict }) => verdict === "pass")];

/** The verdicts of what is wrong. */
const FAILURES = ["fail", "crash", "timeout", "fault"];

const ids = (cases) => cases.map(({ id }) => id);
const number = (n) => n.toLocaleString("en");

const CASE = { all: "#table tbody tr", label: "th a", link: "th a", id: (label) => `case-${label}` };
const REQUIREMENT = { all: "#requirements article", label: "h4", link: "h4 a", id: (label) => label };

/** Filters with what they leave of all, and how many that is. */
const filtersOf = (all, noun, filters) => filters.map(({ set, hash, keeps }) => {
  const rows = ids(all.filter(keeps));
  return { set, hash, rows, shown: `${number(rows.length)} of ${number(all.length)} ${noun} shown` };
});

/** The filters that all pages of cases have. */
function filtersOfCases(all, more) {
  return filtersOf(all, "cases", [
    { set: { operator: "Sqrt" }, hash: "#operator=Sqrt", keeps: (one) => one.operator === "Sqrt" },
    { set: { type: "int8" }, hash: "#type=int8", keeps: (one) => one.types.includes("int8") },
    {
      set: { text: "FLOAT16 normal_by" },
      hash: "#text=FLOAT16+normal_by",
      keeps: ({ id }) => id.includes("float16") && id.includes("normal_by"),
    },
    { set: { text: "no such words" }, hash: "#text=no+such+words", keeps: () => false },
    ...more,
  ]);
}

function report(name, path) {
  const document = read(`${path}/report.json`);
  // Where a list of known failures was used, what it does not know comes before all else.
  const isUnexpected = ({ verdict, expected }) => FAILURES.includes(verdict) && verdict !== expected;
  const isFirst = (one) => document.expectations_list && isUnexpected(one);
  const all = othersFirst([...document.cases.filter(isFirst), ...document.cases.filter((one) => !isFirst(one))]);
  const failed = all.findLast(({ verdict }) => verdict === "fail") ?? all[0];
  const [requirement] = document.requirements.filter(({ cases }) => cases.length).slice(-1);
  const last = all.at(-1);
  const elements = (one) => one.outputs.reduce((sum, output) => sum + output.elements, 0);
  return {
    name,
    path: `${path}/report.html`,
    row: CASE,
    rows: ids(all),
    unscripted: ids(all.filter(({ verdict }) => verdict !== "pass")),
    filters: filtersOfCases(all, [
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
      { hash: `#r${all.length}`, shows: `#r${all.length}`, says: last.id, packed: true },
      { hash: `#case-${last.id}`, shows: `[id="case-${last.id}"]`, says: last.id, packed: true },
      { hash: `#requirement-${requirement.id}`, shows: `#requirement-${requirement.id}`, says: requirement.id, packed: true },
      { hash: "#provenance", shows: "#provenance h2", says: "Provenance" },
    ],
    leads: [
      {
        link: `[id="case-${failed.id}"] .about a:not(.up) >> nth=0`,
        shows: `[id="${failed.requirements[0]}"]`,
        says: failed.id,
      },
    ],
    printed: ids(all.filter(({ verdict }) => FAILURES.includes(verdict))).map(CASE.id),
    whole: [
      { table: ".known", viewport: WIDE },
      { table: ".known", viewport: NARROW },
      { table: ".outputs", viewport: WIDE },
    ].filter(({ table }) => table !== ".known" || document.expectations.length),
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
    row: CASE,
    rows: ids(all),
    unscripted: [],
    filters: filtersOfCases(all, [
      {
        set: { verdict: ["fail"] },
        hash: "#verdict=fail",
        keeps: ({ backends }) => backends.some((cell) => cell?.verdict === "fail"),
      },
      {
        set: { missed: "parrot", operator: "Div" },
        hash: "#operator=Div&missed=parrot",
        keeps: ({ operator, backends }) =>
          operator === "Div" && backends.some((cell, at) => document.backends[at].name === "parrot" && cell && cell.verdict !== "pass"),
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
      { hash: `#case-${disagreement}`, shows: `[id="case-${disagreement}"]`, says: disagreement, packed: true },
      { hash: `#r${all.length}`, shows: `#r${all.length}`, says: all.at(-1).id, packed: true },
      ...document.hard_questions.slice(-1).map(({ id, title }) => ({ hash: `#hard-${id}`, shows: `#hard-${id}`, says: title })),
    ],
    leads: [],
    results: "#table tbody tr:first-child td:has(.verdict)",
    whole: [{ table: ".bits", viewport: WIDE }],
    sorted: { column: "Case", cells: ids(all).sort(new Intl.Collator("en", { numeric: true }).compare) },
  };
}

function matrix(name, path) {
  const document = read(`${path}/matrix.json`);
  const all = document.requirements;
  const one = all.findLast(({ cases }) => cases.length);
  const swept = all.find(({ campaigns }) => campaigns.length);
  const { id } = one;
  const place = swept.campaigns[0];
  return {
    name,
    path: `${path}/matrix.html`,
    row: REQUIREMENT,
    rows: ids(all),
    filters: filtersOf(all, "requirements", [
      { set: { status: ["failed"] }, hash: "#status=failed", keeps: ({ status }) => status === "failed" },
      {
        set: { status: ["uncovered", "untestable"], text: "SQRT" },
        hash: "#status=uncovered,untestable&text=SQRT",
        keeps: (one) => ["uncovered", "untestable"].includes(one.status) && /sqrt/i.test([one.id, one.statement, one.section, one.untestable, ...ids(one.cases)]),
      },
      { set: { document: one.document }, hash: `#document=${one.document}`, keeps: (other) => other.document === one.document },
      { set: { text: one.id.toLowerCase() }, hash: `#text=${one.id.toLowerCase()}`, keeps: (other) => other.id.includes(one.id) },
      { set: { text: "no such words" }, hash: "#text=no+such+words", keeps: () => false },
    ]),
    links: [
      { hash: `#${id}`, shows: `[id="${id}"]`, says: one.cases.at(-1).id },
      { hash: `#${id}`, shows: `[id="${id}"] li >> nth=-1`, says: one.cases.at(-1).id, folded: true },
      { hash: `#campaign-${place + 1}`, shows: `#campaign-${place + 1}`, says: document.campaigns[place].operator },
    ],
    leads: [
      {
        unfold: `[id="${id}"] details`,
        link: `[id="${id}"] li a >> nth=0`,
        shows: `[id="case-${one.cases[0].id}"]`,
        says: one.cases[0].id,
      },
      {
        unfold: `[id="${swept.id}"] details`,
        link: `[id="${swept.id}"] details:last-of-type li a >> nth=0`,
        shows: "#summary",
        says: number(document.campaigns[place].executed),
      },
    ],
  };
}

function campaign(name, path) {
  const document = read(`${path}/campaign.json`);
  const links = [{ hash: "#requirements", shows: "#requirements .ids", says: document.requirements.at(-1) }];
  if (document.mismatches) {
    const { index } = document.counterexamples.first[0];
    links.push({ hash: "#counterexamples", shows: "#counterexamples table >> nth=0", says: `${index}` });
  }
  return { name, path: `${path}/campaign.html`, links, leads: [] };
}

function atlas(name, path) {
  const { rows } = read(`${path}/atlas.json`);
  const { backend, operator, type } = rows.at(-1);
  const id = `${backend}-${operator}-${type}`;
  const links = [
    { hash: `#${id}`, shows: `[id="${id}"]`, says: operator },
    { hash: "#operators", shows: "#operators th[scope=rowgroup] >> nth=0", says: rows[0].backend },
    { hash: "#plots", shows: "#plots figure >> nth=0", says: rows[0].operator },
  ];
  return { name, path: `${path}/atlas.html`, links, leads: [] };
}

/** Nodes as the page of a trace has them: those that are wrong first, then by their shares and errors. */
function listed(nodes) {
  const share = ({ share_of_bound: share }) => (share === null ? -1 : Number(share));
  const error = ({ max_error_ulp: error }) => (error === null ? -1 : Number(error.match(/[=<](\d+)/)[1]));
  const rank = (node) => [!FAILURES.includes(node.verdict), node.went_on_with === "backend", -share(node), -error(node)];
  const compare = (a, b) => rank(a).map((key, at) => key - rank(b)[at]).find((difference) => difference) ?? 0;
  return nodes.toSorted(compare);
}

function trace(name, path) {
  const { nodes, fusions_left: left } = read(`${path}/trace.json`);
  const names = nodes.map(({ node }) => node);
  const all = listed(nodes.map((node) => ({ ...node, id: node.node })));
  const words = (...wanted) => (node) => wanted.every((word) => `${node.id} ${node.verdict} ${node.operator}`.toLowerCase().includes(word));
  const id = (label) => `node-${label && names.indexOf(label)}`;
  const last = names.at(-1);
  return {
    name,
    path: `${path}/trace.html`,
    row: { all: ".nodes tbody tr", label: "th a", link: "th a", id },
    rows: ids(all),
    filters: filtersOf(all, "nodes", [
      { set: { text: "DIV fail" }, hash: "#text=DIV+fail", keeps: words("div", "fail") },
      { set: { text: "pass" }, hash: "#text=pass", keeps: words("pass") },
      { set: { text: "no such words" }, hash: "#text=no+such+words", keeps: () => false },
    ]),
    links: [
      { hash: `#${id(last)}`, shows: `#${id(last)}`, says: last },
      { hash: "#together", shows: "#together .caveat >> nth=-1", says: left.split(":")[0] },
    ],
    leads: [],
    printed: nodes.filter(({ verdict }) => FAILURES.includes(verdict)).map(({ node }) => id(node)),
  };
}

/** The front page of a pack, and the pages in it that are nowhere else. */
function evidence(name, path) {
  const paths = read(`${path}/manifest.json`).files.map((file) => file.path);
  const [{ statement }] = read(`${path}/limitations.json`).limitations;
  const front = {
    name,
    path: `${path}/index.html`,
    links: [
      { hash: "#limitations", shows: "#limitations", says: statement },
      { hash: "#files", shows: "#files", says: paths.at(-1) },
    ],
    leads: [{ link: `#requirements a[href^="matrix.html"] >> nth=0`, shows: ".kind", says: "requirement matrix" }],
  };
  const has = paths.includes("qualification/qualification.html");
  return has ? [front, qualification("qualification", `${path}/qualification/few.html`)] : [front];
}

function qualification(name, path) {
  const { id, says } = read(path.replace(".html", ".json")).defects.at(-1);
  return {
    name,
    path,
    links: [
      { hash: `#row-${id}`, shows: `#row-${id}`, says: id },
      { hash: `#defect-${id}`, shows: `#defect-${id}`, says },
    ],
    leads: [],
  };
}

/** The front page of a site, the page of the backend that got worse, and that of an operator of it. */
function site(path) {
  const { backends, operators } = read(`${path}/index.json`);
  const worse = backends.find(({ series }) => series.some(({ report }) => report.since?.findings));
  const [{ report }] = worse.series;
  const [regression] = report.since.regressions;
  const operator = operators.find(({ name }) => name === regression.operator);
  const [known] = read(`${path}/${worse.page.replace("html", "json")}`).series[0].known;
  const day = report.clock.slice(0, 10);
  return [
    {
      name: "site",
      path: `${path}/index.html`,
      links: [
        { hash: "#backends", shows: "#backends li >> nth=0", says: backends[0].name },
        { hash: "#regressions", shows: "#regressions li >> nth=0", says: regression.what },
        { hash: "#operators", shows: "#operators-title", says: "Operators" },
      ],
      leads: [
        { link: `#backends a[href="${worse.page}"]`, shows: "h1", says: worse.name },
        { link: `#operators a[href="${operator.page}"]`, shows: "h1", says: operator.name },
      ],
    },
    {
      name: "site's backend",
      path: `${path}/${worse.page}`,
      links: [
        { hash: "#history", shows: "#history tbody tr >> nth=0", says: day },
        { hash: "#regressions", shows: "#regressions li >> nth=0", says: regression.difference[0] },
        { hash: "#known", shows: "#known tbody tr >> nth=0", says: known.link },
      ],
      leads: [{ link: `#operators a[href="../../${operator.page}"]`, shows: "h1", says: operator.name }],
    },
    {
      name: "site's operator",
      path: `${path}/${operator.page}`,
      links: [
        { hash: "#summary", shows: "#summary li >> nth=0", says: backends[0].name },
        { hash: "#backend-2", shows: "#backend-2 h3", says: worse.name },
      ],
      leads: [{ link: `.parts a[href="../index.html"]`, shows: "h1", says: `${backends.length} backends` }],
    },
  ];
}

/** Pages of which everything is tested. */
export const pages = () => [
  report("report", "moody"),
  scoreboard("scoreboard", "scoreboard"),
  matrix("matrix", "matrix"),
  campaign("campaign", "campaign"),
  campaign("campaign with mismatches", "campaign-wrong"),
  campaign("campaign of many parts", "campaign-parts"),
  atlas("atlas", "atlas"),
  trace("trace", "trace"),
  ...evidence("pack", "evidence"),
  ...site("site"),
];

/**
 * Pages of thousands of rows, and how many bytes they may have.
 */
export const largePages = () => [
  { ...report("report", "all"), most: 3e6 },
  { ...report("report of failures", "all-wrong"), most: 5e6 },
  { ...scoreboard("scoreboard", "scoreboard-all"), most: 6e6 },
];

/** The page of all requirements and all of the tool's own cases, and how many bytes it may have. */
export const wholeMatrix = () => ({ path: "all/matrix.html", most: 3e6 });
