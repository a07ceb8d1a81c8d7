//! The tables in which operators state the cases of the project's own suites.
//!
//! A table is TOML: `[[onnx]]`, `[[sonnx]]`, .. hold [`Statement`]s, each of which stands for one case or for
//! many, by the rows of its own, by element types and by versions of the operator. `docs/adding-an-operator.md`
//! explains how they are written.

mod classes;
mod notation;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use serde::Deserialize;
use values::dtype::{DType, Kind};
use values::random::Random;
use values::tensor::Tensor;

use crate::case_spec::{CaseSpec, LastInput, Stated, StatementError};
use crate::elements::{ElementError, tensor};
use crate::inputs::Tuple;
use crate::operator::Operator;
use crate::signature::{Specification, Version};

use classes::Pattern;
use notation::{attributes, dimensions, tensor_type, types};

/// What an operator makes itself for its cases, by the names that its tables use.
#[derive(Clone, Copy)]
pub(crate) struct Own {
    /// The operands of a class of a type, none where the type has no such operands; `None` where there is no
    /// such class.
    pub(crate) class: fn(&str, DType, &mut Random) -> Option<Vec<Tuple>>,
    /// All inputs of a case.
    pub(crate) inputs: fn(&str, DType) -> Result<Vec<Tensor>, ElementError>,
}

impl Own {
    /// Nothing.
    pub(crate) const NONE: Self = Self { class: |_, _, _| None, inputs: |_, _| Ok(Vec::new()) };
}

/// A table as it is read.
#[derive(Deserialize)]
struct Table {
    /// What stands for a word in braces, in all tables of an operator.
    #[serde(default)]
    words: Words,
    #[serde(flatten)]
    statements: BTreeMap<Specification, Vec<Statement>>,
}

/// Texts by the words that stand for them in braces. `NAME` is the operator's name in capitals, `type` the
/// case's element type, `KIND` is `FLOAT` or `INT` with it, `path` the case's folder below that of the suite, and
/// `suite` what that begins with.
type Words = BTreeMap<String, String>;

/// Cases that differ by rows, types and versions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement {
    name: String,
    note: String,
    /// Requirements, each for all cases or behind a condition and a colon.
    ids: String,
    /// Each row's cells by the words of the first one; or the word that stands for them.
    #[serde(default)]
    rows: String,
    /// The versions of the operator, where there is more than one: from one on, before one, the newest alone,
    /// or all others.
    since: Option<i64>,
    before: Option<i64>,
    newest: Option<bool>,
    /// The element types; of them those that the version takes, or does not take, as far as that is said.
    types: Option<String>,
    taken: Option<bool>,
    /// The folder of a case, if not its type's.
    folder: Option<String>,
    /// The inputs, one text each, `-` where one is left out,
    #[serde(default)]
    inputs: Vec<String>,
    /// or operands of these classes, in one dimension or repeated until they fill a shape, but for those
    /// of a pattern,
    classes: Option<String>,
    shape: Option<String>,
    without: Option<String>,
    /// or what the operator makes itself under a name.
    own: Option<String>,
    /// What is drawn, is drawn for this text instead of the path; in one sequence for all cases with the same
    /// one, where that is said.
    seed: Option<String>,
    #[serde(default)]
    one_sequence: bool,
    #[serde(default)]
    attributes: String,
    /// How many outputs the node gives, if not all that the version has: a number, or a text with words.
    outputs: Option<Count>,
    /// The places of those among them that it leaves out.
    #[serde(default)]
    left_out: Vec<usize>,
    /// Element type and shape that the model declares of its outputs, where a refusal is expected.
    refused: Option<String>,
    #[serde(default)]
    last_input: LastInput,
}

/// A number, or a text that is one where its words are filled in.
#[derive(Deserialize)]
#[serde(untagged)]
enum Count {
    Number(usize),
    Text(String),
}

impl Count {
    fn number(&self, words: &Words) -> Result<usize, StatementError> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Text(text) => {
                let text = filled(text, words)?;
                text.parse().map_err(|_| StatementError::word(&text, "number of outputs"))
            }
        }
    }
}

/// The cases that an operator's tables state.
pub(crate) fn cases(of: Specification, operator: &Operator, tables: &[&str], own: Own) -> Stated {
    let mut words = Words::from([("NAME".to_owned(), operator.name.to_uppercase())]);
    let mut statements = Vec::new();
    for table in tables {
        let mut table: Table = toml::from_str(table).map_err(Box::new)?;
        words.extend(table.words);
        statements.extend(table.statements.remove(&of).unwrap_or_default());
    }
    // Tables that operators share state cases of SONNX for those that it specifies.
    let is_sonnx = of == Specification::Sonnx;
    if is_sonnx && !operator.documents.iter().any(|it| it.key.starts_with("sonnx-")) {
        return Ok(Vec::new());
    }
    let mut cases = Vec::new();
    // Every specification but ONNX has the newest version alone.
    let older = operator.versions.len().saturating_sub(1);
    for version in &operator.versions[if of == Specification::Onnx { 0 } else { older }..] {
        let suite = Suite { operator, own, specification: of, version };
        for statement in statements.iter().filter(|statement| statement.is_of(&suite)) {
            cases.extend(statement.cases(&suite, &words)?);
        }
    }
    Ok(cases)
}

/// Where cases belong.
struct Suite<'a> {
    operator: &'a Operator,
    own: Own,
    specification: Specification,
    version: &'a Version,
}

impl Suite<'_> {
    fn is_newest(&self) -> bool {
        self.version.since == self.operator.newest().since
    }

    /// The folder of the cases, and what the ids of their requirements begin with: the requirements of SONNX are
    /// given by their whole ids.
    fn folder_and_prefix(&self) -> (String, String) {
        let (name, since) = (self.operator.name, self.version.since);
        let (lower, upper) = (name.to_lowercase(), name.to_uppercase());
        match self.specification {
            Specification::Onnx => (format!("{lower}_{since}"), format!("P_ONNX_{upper}{since}_")),
            Specification::OpenVino => {
                (format!("{lower}_{since}"), format!("P_OV_{upper}{since}_"))
            }
            Specification::Sonnx | Specification::SonnxDraft => (lower, String::new()),
        }
    }

    /// The operands of a class: `boundaries`, special values by a pattern, or a class of the operator's own.
    fn of_class(
        &self,
        class: &str,
        dtype: DType,
        random: &mut Random,
    ) -> Result<Vec<Tuple>, StatementError> {
        if class == "boundaries" {
            return classes::at_boundaries(self.operator, dtype);
        }
        let operands = match class.strip_prefix("special:") {
            Some(special) => {
                Pattern::of(special).map(|it| it.specials(dtype, self.operator.arity()))
            }
            None => (self.own.class)(class, dtype, random),
        };
        operands.ok_or_else(|| StatementError::word(class, "class of operands"))
    }
}

impl Statement {
    fn is_of(&self, suite: &Suite<'_>) -> bool {
        let since = suite.version.since;
        self.since.is_none_or(|first| first <= since)
            && self.before.is_none_or(|end| since < end)
            && self.newest.is_none_or(|newest| newest == suite.is_newest())
    }

    fn cases(&self, suite: &Suite<'_>, words: &Words) -> Stated {
        let taken = suite.version.taken();
        let mut sequences = BTreeMap::new();
        let mut cases = Vec::new();
        for cells in rows(words.get(&self.rows).unwrap_or(&self.rows))? {
            let mut words = words.clone();
            words.extend(cells);
            let named = filled(self.types.as_deref().unwrap_or("taken"), &words)?;
            for dtype in types(&named, taken, suite.operator)? {
                if self.taken.is_none_or(|wanted| wanted == taken.contains(&dtype)) {
                    cases.extend(self.case(suite, dtype, words.clone(), &mut sequences)?);
                }
            }
        }
        Ok(cases)
    }

    /// The case of a row for a type; none where the type has no operands of the classes.
    fn case(
        &self,
        suite: &Suite<'_>,
        dtype: DType,
        mut words: Words,
        sequences: &mut BTreeMap<String, Random>,
    ) -> Result<Option<CaseSpec>, StatementError> {
        let kind = if matches!(dtype.kind(), Kind::Float(_)) { "FLOAT" } else { "INT" };
        words.insert("type".to_owned(), dtype.name().to_owned());
        words.insert("KIND".to_owned(), kind.to_owned());
        let (folder, prefix) = suite.folder_and_prefix();
        let within = self.folder.as_deref().unwrap_or(dtype.name());
        let path = format!("{folder}/{within}/{}", filled(&self.name, &words)?);
        words.insert("suite".to_owned(), folder);
        words.insert("path".to_owned(), path.clone());
        let seed = filled(self.seed.as_ref().unwrap_or(&path), &words)?;
        let mut random = Random::for_case(&seed);
        let random = match self.one_sequence {
            true => sequences.entry(seed).or_insert(random),
            false => &mut random,
        };
        let Some(inputs) = self.inputs(suite, dtype, &words, random)? else { return Ok(None) };
        let ids = filled(&self.ids, &words)?;
        let mut requirements = Vec::new();
        for id in ids.split_whitespace() {
            let (condition, id) = id.split_once(':').unwrap_or(("", id));
            if classes::holds(condition, dtype, &inputs)? {
                requirements.push(format!("{prefix}{id}"));
            }
        }
        let outputs = match &self.outputs {
            Some(count) => count.number(&words)?,
            None => suite.version.outputs.len(),
        };
        let declared = |declared: &str| Ok(tensor_type(declared.trim(), dtype)?.0);
        let refusal = match &self.refused {
            Some(all) => Some(
                filled(all, &words)?
                    .split(';')
                    .map(declared)
                    .collect::<Result<_, StatementError>>()?,
            ),
            None => None,
        };
        Ok(Some(CaseSpec {
            specification: suite.specification,
            path,
            opset: suite.version.since,
            attributes: attributes(&filled(&self.attributes, &words)?, suite.version)?,
            inputs,
            outputs,
            left_out: self.left_out.clone(),
            last_input: self.last_input,
            requirements,
            note: filled(&self.note, &words)?,
            refusal,
        }))
    }

    fn inputs(
        &self,
        suite: &Suite<'_>,
        dtype: DType,
        words: &Words,
        random: &mut Random,
    ) -> Result<Option<Vec<Option<Tensor>>>, StatementError> {
        if let Some(own) = &self.own {
            return Ok(Some(
                (suite.own.inputs)(&filled(own, words)?, dtype)?.into_iter().map(Some).collect(),
            ));
        }
        let Some(classes) = &self.classes else {
            let input = |text: &String| match filled(text, words)?.as_str() {
                "-" => Ok(None),
                text => notation::tensor(text, dtype, random).map(Some),
            };
            return Ok(Some(self.inputs.iter().map(input).collect::<Result<_, _>>()?));
        };
        let mut tuples = Vec::new();
        for class in filled(classes, words)?.split_whitespace() {
            let (class, step) = class.split_once('/').unwrap_or((class, "1"));
            let step: NonZeroUsize =
                step.parse().map_err(|_| StatementError::word(step, "step"))?;
            tuples.extend(suite.of_class(class, dtype, random)?.into_iter().step_by(step.get()));
        }
        if let Some(without) = &self.without {
            let pattern =
                Pattern::of(without).ok_or_else(|| StatementError::word(without, "pattern"))?;
            tuples.retain(|tuple| !pattern.matches(dtype, tuple));
        }
        let shape = self.shape.as_deref().unwrap_or("[count]");
        let shape = dimensions(&shape.replace("count", &tuples.len().to_string()))?;
        let count = shape.iter().product();
        let tuples: Vec<Tuple> = tuples.into_iter().cycle().take(count).collect();
        let operand = |which: usize| {
            let elements: Vec<u64> = tuples.iter().map(|tuple| tuple[which]).collect();
            tensor(dtype, &shape, &elements).map(Some)
        };
        let inputs = (0..suite.operator.arity()).map(operand).collect::<Result<_, _>>()?;
        Ok((!tuples.is_empty()).then_some(inputs))
    }
}

/// The rows below the first line by its words, cells being two spaces or more apart; one without any where
/// there are no lines.
fn rows(text: &str) -> Result<Vec<Words>, StatementError> {
    let cells = |line: &str| -> Vec<String> {
        let cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.map(str::to_owned).collect()
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(head) = lines.next().map(cells) else { return Ok(vec![Words::new()]) };
    let row = |line| match cells(line) {
        cells if cells.len() == head.len() => Ok(head.iter().cloned().zip(cells).collect()),
        _ => Err(StatementError::word(line, "row of as many cells as the first one")),
    };
    lines.map(row).collect()
}

/// A text with what its words in braces stand for, where words stand in turn.
fn filled(text: &str, words: &Words) -> Result<String, StatementError> {
    let Some((before, rest)) = text.split_once('{') else { return Ok(text.to_owned()) };
    let (word, after) = rest.split_once('}').unwrap_or((rest, ""));
    let meaning = words.get(word).ok_or_else(|| StatementError::word(word, "word of the table"))?;
    Ok(format!("{before}{}{}", filled(meaning, words)?, filled(after, words)?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::operator::AttributeValue;
    use crate::operators::{OPERATORS, constant::CONSTANT, div::DIV, exp::EXP};
    use values::dtype::DType::{Float32, Int32, Uint8};
    use values::onnx::Sparse;

    fn stated(operator: &Operator, table: &str) -> Stated {
        let table = table.replace("OTHERS", "ids = ''\nnote = ''");
        let of = |suite| cases(suite, operator, &[&table], Own::NONE);
        Specification::ALL
            .into_iter()
            .try_fold(Vec::new(), |all, suite| Ok([all, of(suite)?].concat()))
    }

    fn problem(inputs: &str) -> String {
        let table = format!("[[sonnx]]\nOTHERS\nname = 'a'\ntypes = 'float16'\n{inputs}");
        stated(&DIV, &table).unwrap_err().to_string()
    }

    #[test]
    fn rows_types_and_versions_make_a_case_each() {
        let cases = stated(
            &DIV,
            "[words]\nb = 'divisor'\n[[onnx]]\nOTHERS\nsince = 13\ntypes = 'float32 int8'\n\
             name = '{form}_{b}'\ntaken = true\ninputs = ['{A} ones', '[] ones']\n\
             attributes = 'axis={axis} perm=[1,0]'\n\
             rows = '''\nform   A      axis\nrow    [2,3]  -\nempty  [0]    1\n'''",
        );
        let cases = cases.unwrap();
        let paths: Vec<&str> = cases.iter().map(|case| case.path.as_str()).collect();
        let newest = ["float32/row", "int8/row", "float32/empty", "int8/empty"]
            .map(|at| format!("div_14/{at}_divisor"));
        assert_eq!(paths[..2], ["div_13/float32/row_divisor", "div_13/float32/empty_divisor"]);
        assert_eq!(paths[2..], newest);
        let perm = ("perm".to_owned(), AttributeValue::Ints(vec![1, 0]));
        assert_eq!(cases[0].attributes, std::slice::from_ref(&perm));
        assert_eq!(cases[1].attributes, [("axis".to_owned(), AttributeValue::Int(1)), perm]);
        let input = |case: usize| cases[case].inputs[0].as_ref().unwrap();
        assert_eq!((input(0).shape(), input(1).elements()), (&[2, 3][..], 0));
    }

    #[test]
    fn attributes_are_numbers_lists_texts_and_tensors() {
        let of = |text: &str| -> AttributeValue {
            let table = "[[onnx]]\nOTHERS\nnewest = true\nname = 'a'\ntypes = 'int8'\n";
            let cases = stated(&CONSTANT, &format!("{table}attributes = '{text}'")).unwrap();
            cases[0].attributes[0].1.clone()
        };
        let texts =
            |texts: &[&str]| AttributeValue::Texts(texts.iter().map(|&it| it.into()).collect());
        assert_eq!(of("value_strings=[a,,7]"), texts(&["a", "", "7"]));
        assert_eq!(of("value_strings=[]"), texts(&[]));
        assert_eq!(of("value_string="), AttributeValue::Text(String::new()));
        assert_eq!(of("value_floats=[2,-0]"), AttributeValue::Floats(vec![0x4000_0000, 1 << 31]));
        let tensor =
            |dtype, bytes: Vec<u8>| Tensor::from_bits(dtype, vec![1], bytes.into()).unwrap();
        assert_eq!(of("value=uint8:[1]:5"), AttributeValue::Tensor(tensor(Uint8, vec![5])));
        let indices = Some(tensor(DType::Int64, vec![3, 0, 0, 0, 0, 0, 0, 0]));
        let sparse = Sparse { values: tensor(Uint8, vec![5]), indices, dims: vec![4, -1] };
        let told = of("sparse_value=uint8:[1]:5@int64:[1]:3@[4,-1]");
        assert_eq!(told, AttributeValue::Sparse(sparse));
    }

    #[test]
    fn outputs_are_all_or_as_many_as_a_number_or_a_word_says() {
        let outputs = |line: &str| -> Vec<usize> {
            let rows = "rows = '''\nform  n\na     3\nb     1\n'''";
            let table = "[[sonnx]]\nOTHERS\nname = '{form}'\ntypes = 'int8'\n";
            let cases = stated(&DIV, &format!("{table}{line}\n{rows}")).unwrap();
            cases.iter().map(|case| case.outputs).collect()
        };
        assert_eq!(outputs(""), [1, 1]);
        assert_eq!(outputs("outputs = 2"), [2, 2]);
        assert_eq!(outputs("outputs = '{n}'"), [3, 1]);
        assert_eq!(problem("outputs = 'many'"), "`many` is no number of outputs");
    }

    #[test]
    fn conditions_of_requirements_are_of_types_and_of_elements() {
        let table = "[[sonnx]]\nname = 'a'\nnote = ''\ntypes = 'float32 int8'\n\
                     inputs = ['[2] 1 0', '[2] 2 0']\n\
                     ids = 'A int:B signed:C unsigned:D zero,zero:E zero,nonzero:F +number,*:{KIND}'";
        let cases = cases(Specification::Sonnx, &DIV, &[table], Own::NONE).unwrap();
        assert_eq!(cases[0].requirements, ["A", "E", "FLOAT"]);
        assert_eq!(cases[1].requirements, ["A", "B", "C"]);
    }

    #[test]
    fn elements_are_decimals_bits_words_or_made() {
        let elements = |dtype, text: &str| -> Vec<u128> {
            let tensor = notation::tensor(text, dtype, &mut Random::for_case("")).unwrap();
            (0..tensor.elements()).filter_map(|at| tensor.element(at)).collect()
        };
        assert_eq!(elements(Float32, "[3] 0.5 -inf 0x1"), [0x3f00_0000, 0xff80_0000, 1]);
        assert_eq!(elements(Uint8, "[2,2] max min 3 0x80"), [255, 0, 3, 128]);
        assert_eq!(elements(Int32, "uint8 [3] counting 7"), [7, 8, 9]);
        assert_eq!(elements(Int32, "bool [4] truth"), [0, 0, 1, 1]);
        assert_eq!(elements(Uint8, "[5] all 1 2"), [1, 2, 1, 2, 1]);
        assert_eq!(elements(Uint8, "[5] ending 9 1"), [0, 0, 0, 9, 1]);
        let numbered = elements(Uint8, "[20000] numbered 1");
        assert_eq!(numbered[..6], [1, 1, 1, 1, 5, 6]);
        assert_eq!(numbered[16 * 1234..][..6], [5, 4, 3, 2, 5, 6]);
        let stretches: BTreeSet<&[u128]> = numbered.windows(16).collect();
        assert_eq!(stretches.len(), 20_000 - 15);
        let drawn = elements(Uint8, "[100] between 3 5");
        assert!(drawn.iter().all(|element| (3..=5).contains(element)));
    }

    #[test]
    fn strings_are_words_in_which_bytes_are_escaped() {
        let strings = |text: &str| {
            let tensor = notation::tensor(text, DType::String, &mut Random::for_case("")).unwrap();
            tensor.strings().unwrap().to_vec()
        };
        let expected: [&[u8]; 5] = [b"a b", b"", b"\xff%", "\u{e9}".as_bytes(), b"%2"];
        assert_eq!(strings("[5] a%20b '' %ff% \u{e9} %2"), expected);
        assert_eq!(strings("[1,3] all %00 1"), ["\0", "1", "\0"]);
        let table = "[[onnx]]\nOTHERS\nnewest = true\nname = 'a'\ntypes = 'int8'\n\
                     attributes = 'value_string=%31%7d value_strings=[%2c,a]'";
        let attributes = stated(&CONSTANT, table).unwrap().remove(0).attributes;
        assert_eq!(attributes[0].1, AttributeValue::Text("1}".into()));
        assert_eq!(attributes[1].1, AttributeValue::Texts(vec![",".into(), "a".into()]));
    }

    #[test]
    fn special_values_are_those_of_the_pattern() {
        let table =
            "[[sonnx]]\nOTHERS\nname = 'a'\ntypes = 'float32'\nclasses = 'special:-zero|+infinity'";
        let x = stated(&EXP, table).unwrap().remove(0).inputs.remove(0).unwrap();
        assert_eq!(
            (x.element(0), x.element(1), x.elements()),
            (Some(0x7f80_0000), Some(1 << 31), 2)
        );
    }

    #[test]
    fn a_shape_may_name_the_number_of_operands() {
        let table = "[[sonnx]]\nOTHERS\nname = 'a'\ntypes = 'float32'\n\
                     classes = 'special:zero'\nshape = '[1,count,1]'";
        let inputs = stated(&EXP, table).unwrap().remove(0).inputs;
        assert_eq!(inputs[0].as_ref().unwrap().shape(), [1, 2, 1]);
    }

    #[test]
    fn what_has_no_meaning_is_named() {
        assert_eq!(problem("inputs = ['[2] 1 one']"), "`one` is no element");
        assert_eq!(problem("inputs = ['float17 [2] 1 1']"), "`float17` is no element type");
        assert_eq!(problem("inputs = ['2,3 ones']"), "`2,3` is no element type");
        assert_eq!(problem("inputs = ['{shape} ones']"), "`shape` is no word of the table");
        let problem_of_rows = problem("rows = '''\na\nb  c'''");
        assert_eq!(problem_of_rows, "`b  c` is no row of as many cells as the first one");
        assert_eq!(problem("classes = 'any'"), "`any` is no class of operands");
        assert_eq!(problem("classes = 'special:any'"), "`special:any` is no class of operands");
        assert!(problem("kind = 'a'").contains("unknown field `kind`"));
        let without_ids = stated(&DIV, "[[sonnx]]\nname = 'a'\nnote = ''").unwrap_err();
        assert!(without_ids.to_string().contains("missing field `ids`"));
    }

    #[test]
    fn no_two_cases_have_one_path() {
        for operator in OPERATORS {
            let mut paths: Vec<_> = Specification::ALL
                .into_iter()
                .flat_map(|of| operator.cases.unwrap()(of).unwrap())
                .map(|case| (case.specification, case.path))
                .collect();
            let count = paths.len();
            paths.sort();
            paths.dedup();
            assert!(count > 10 && paths.len() == count, "{operator}");
        }
    }
}
