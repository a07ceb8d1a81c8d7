//! The inputs of a model: from files, or drawn from a seed.
//!
//! A folder of inputs has the layout of ONNX's data sets, `input_0.pb` and so on in the order of the model's inputs, or
//! NumPy's files: `NAME.npy` of each input, `input_0.npy`, or one `.npz` with arrays of these names. What no file gives is
//! drawn: floats of a normal distribution of deviation 0.5, small counts of integers, either truth value.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use bytes::Bytes;

use super::npy::{self, NpyError};
use crate::dtype::{DType, Kind};
use crate::float::FloatFormat;
use crate::limits;
use crate::onnx::proto::tensor_shape_proto::dimension::Value as Size;
use crate::onnx::proto::type_proto::Value as TypeValue;
use crate::onnx::proto::{TypeProto, ValueInfoProto};
use crate::onnx::{DecodeError, ValueType, decode_value};
use crate::random::Random;
use crate::tensor::{Tensor, TensorError, Value, element_count};

/// The largest file of an input, in bytes.
const FILE_LIMIT: u64 = 1 << 31;

/// The most elements that are drawn for one input.
const ELEMENTS_LIMIT: usize = 1 << 28;

/// How inputs are found or drawn.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// A folder of files.
    pub folder: Option<PathBuf>,
    /// What single inputs are, by their names.
    pub single: BTreeMap<String, Source>,
    /// Sizes of symbolic dimensions, by their names.
    pub dimensions: BTreeMap<String, usize>,
    /// Shapes of inputs, by the names of these.
    pub shapes: BTreeMap<String, Vec<usize>>,
    /// What is drawn is drawn from this.
    pub seed: u64,
    /// Whether every input has to be in a file: none is drawn.
    pub is_complete: bool,
}

/// Where an input comes from, or what it is drawn from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// `normal(mean,deviation)`.
    Normal(f64, f64),
    /// `uniform(from,to)`.
    Uniform(f64, f64),
    /// `integers(from,to)`, both included.
    Integers(i64, i64),
    /// `constant(value)`.
    Constant(f64),
}

/// A source is written otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is none of normal(MEAN,DEVIATION), uniform(FROM,TO), integers(FROM,TO), constant(VALUE) and the path of a \
     .pb or .npy file"
)]
pub struct NoSource(String);

impl FromStr for Source {
    type Err = NoSource;

    fn from_str(text: &str) -> Result<Self, NoSource> {
        let no_source = || NoSource(text.to_owned());
        let Some((name, arguments)) = text.strip_suffix(')').and_then(|text| text.split_once('('))
        else {
            let extension = Path::new(text).extension().and_then(|extension| extension.to_str());
            let is_file = matches!(extension, Some("pb" | "npy"));
            return is_file.then(|| Self::File(text.into())).ok_or_else(no_source);
        };
        let arguments: Vec<&str> = arguments.split(',').map(str::trim).collect();
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        let integer = |text: &str| text.parse::<i64>().ok();
        let source = match (name.trim(), arguments.as_slice()) {
            ("normal", [mean, deviation]) => {
                number(mean).zip(number(deviation)).map(|(a, b)| Self::Normal(a, b))
            }
            ("uniform", [from, to]) => number(from)
                .zip(number(to))
                .filter(|(a, b)| a <= b)
                .map(|(a, b)| Self::Uniform(a, b)),
            ("integers", [from, to]) => integer(from)
                .zip(integer(to))
                .filter(|(a, b)| a <= b)
                .map(|(a, b)| Self::Integers(a, b)),
            ("constant", [value]) => number(value).map(Self::Constant),
            _ => None,
        };
        source.ok_or_else(no_source)
    }
}

/// An input as it was found.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Where it comes from, in words.
    pub source: String,
}

/// An input cannot be had.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant's message says what it is")]
pub enum InputError {
    #[error("failed to read the inputs in `{path}`")]
    Folder { path: PathBuf, source: io::Error },
    #[error("failed to read the input `{path}`")]
    Read { path: PathBuf, source: io::Error },
    #[error("`{path}` holds no value for input `{input}`")]
    Decode { path: PathBuf, input: String, source: Box<DecodeError> },
    #[error("`{path}` holds no array for input `{input}`")]
    Npy { path: PathBuf, input: String, source: NpyError },
    #[error("the model has no input `{name}`; its inputs are {known}")]
    Unknown { name: String, known: String },
    #[error("input `{input}` is {declared} by the model, but {given} is given")]
    Type { input: String, declared: DType, given: DType },
    #[error(
        "dimension `{dimension}` of input `{input}` has the size {declared} by the model, but {given} is given"
    )]
    Size { input: String, dimension: usize, declared: i64, given: usize },
    #[error("there is no file of input `{input}` in `{folder}`; it may be called {names}")]
    Missing { input: String, folder: PathBuf, names: String },
    #[error(
        "the model does not say the shape of input `{input}`; give it with --shape {input}=N,N or with --inputs"
    )]
    NoShape { input: String },
    #[error("input `{input}` is no tensor of numbers; give it with --inputs")]
    NotDrawn { input: String },
    #[error("input `{input}` is too large to be drawn: {source}")]
    TooLarge { input: String, source: TensorError },
    #[error(
        "input `{input}` has {elements} elements, and at most {ELEMENTS_LIMIT} are drawn; choose smaller dimensions with --dim or --shape"
    )]
    TooMany { input: String, elements: usize },
}

/// The inputs of a model, in its order.
pub fn find(inputs: &[ValueInfoProto], given: &Given) -> Result<Vec<Input>, InputError> {
    let named = given.single.keys().chain(given.shapes.keys());
    for name in named {
        if !inputs.iter().any(|input| input.name() == name) {
            let known: Vec<_> = inputs.iter().map(|input| format!("`{}`", input.name())).collect();
            return Err(InputError::Unknown { name: name.clone(), known: known.join(", ") });
        }
    }
    let files = given.folder.as_deref().map(Files::of).transpose()?.unwrap_or_default();
    let each = inputs.iter().enumerate();
    each.map(|(place, input)| one(place, input, given, &files)).collect()
}

fn one(
    place: usize,
    input: &ValueInfoProto,
    given: &Given,
    files: &Files,
) -> Result<Input, InputError> {
    let name = input.name().to_owned();
    let source = given.single.get(&name);
    if let Some(Source::File(path)) = source {
        let value = read_file(path, &name, input.r#type.as_ref())?;
        return checked(Input { name, value, source: path.display().to_string() }, input);
    }
    let stems = [name.clone(), plain(&name), format!("input_{place}")];
    if source.is_none()
        && let Some((value, source)) = files.find(&stems, &name, input.r#type.as_ref())?
    {
        return checked(Input { name, value, source }, input);
    }
    if given.is_complete {
        let folder = given.folder.clone().unwrap_or_default();
        return Err(InputError::Missing { input: name, folder, names: names_of(&stems) });
    }
    let (value, source) = drawn(place, input, source, given)?;
    Ok(Input { name, value, source })
}

/// A name as a file may have it anywhere: every character but letters, digits, `-`, `.` and `_` is a `_`.
pub fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

/// What a file of one of these stems may be called.
fn names_of(stems: &[String]) -> String {
    let mut names: Vec<String> = Vec::new();
    for stem in stems {
        let name = format!("`{stem}.npy`");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ") + ", or .pb"
}

/// The files of a folder, and the arrays of the archives in it, by their names.
#[derive(Debug, Default)]
pub(super) struct Files {
    paths: BTreeMap<String, PathBuf>,
    /// With the paths of their archives.
    arrays: BTreeMap<String, (PathBuf, Bytes)>,
}

impl Files {
    pub(super) fn of(folder: &Path) -> Result<Self, InputError> {
        let failed = |source| InputError::Folder { path: folder.to_owned(), source };
        let mut files = Self::default();
        for entry in folder.read_dir().map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if path.extension().is_some_and(|extension| extension == "npz") {
                let bytes = limits::read(&path, FILE_LIMIT)
                    .map_err(|source| InputError::Read { path: path.clone(), source })?;
                let arrays = npy::arrays(&bytes.into()).map_err(|source| InputError::Npy {
                    path: path.clone(),
                    input: "?".to_owned(),
                    source,
                })?;
                let arrays = arrays.into_iter().map(|(name, array)| (name, (path.clone(), array)));
                files.arrays.extend(arrays);
            } else {
                files.paths.insert(name.to_owned(), path.clone());
            }
        }
        Ok(files)
    }

    /// The value in a file of one of these stems, and where it lies; `name` is what the model calls it.
    pub(super) fn find(
        &self,
        stems: &[String],
        name: &str,
        of: Option<&TypeProto>,
    ) -> Result<Option<(Value, String)>, InputError> {
        let files = stems.iter().flat_map(|stem| [format!("{stem}.npy"), format!("{stem}.pb")]);
        let paths: Vec<_> = files.filter_map(|file| self.paths.get(&file)).collect();
        if let Some(path) = paths.first() {
            return Ok(Some((read_file(path, name, of)?, path.display().to_string())));
        }
        let Some((path, array)) = stems.iter().find_map(|stem| self.arrays.get(stem)) else {
            return Ok(None);
        };
        let failed =
            |source| InputError::Npy { path: path.clone(), input: name.to_owned(), source };
        let tensor = npy::decode(array, stated_by(of)).map_err(failed)?;
        Ok(Some((tensor.into(), path.display().to_string())))
    }
}

fn read_file(path: &Path, name: &str, of: Option<&TypeProto>) -> Result<Value, InputError> {
    let bytes = limits::read(path, FILE_LIMIT)
        .map_err(|source| InputError::Read { path: path.to_owned(), source })?;
    let (bytes, name) = (Bytes::from(bytes), name.to_owned());
    if path.extension().is_some_and(|extension| extension == "npy") {
        let array = npy::decode(&bytes, stated_by(of));
        let failed = |source| InputError::Npy { path: path.to_owned(), input: name, source };
        return array.map(Value::from).map_err(failed);
    }
    let declared = of.and_then(ValueType::of).unwrap_or(ValueType::Tensor(None));
    let value = decode_value(&path.display().to_string(), bytes, &declared);
    value.map_err(|source| InputError::Decode {
        path: path.to_owned(),
        input: name,
        source: Box::new(source),
    })
}

/// The element type that the model states of an input.
fn stated(input: &ValueInfoProto) -> Option<DType> {
    stated_by(input.r#type.as_ref())
}

fn stated_by(of: Option<&TypeProto>) -> Option<DType> {
    of.and_then(ValueType::of).as_ref().and_then(ValueType::dtype)
}

/// The sizes that the model states of an input's dimensions.
fn dimensions(of: &TypeProto) -> Option<Vec<Option<Size>>> {
    let Some(TypeValue::TensorType(tensor)) = &of.value else { return None };
    Some(tensor.shape.as_ref()?.dim.iter().map(|dimension| dimension.value.clone()).collect())
}

/// An input that was given, held against what the model states of it.
fn checked(given: Input, input: &ValueInfoProto) -> Result<Input, InputError> {
    let Value::Tensor(tensor) = &given.value else { return Ok(given) };
    if let Some(declared) = stated(input)
        && declared != tensor.dtype()
    {
        return Err(InputError::Type { input: given.name, declared, given: tensor.dtype() });
    }
    let declared = input.r#type.as_ref().and_then(dimensions).unwrap_or_default();
    for (dimension, (declared, &size)) in declared.iter().zip(tensor.shape()).enumerate() {
        if let Some(Size::DimValue(declared)) = declared
            && i64::try_from(size).ok() != Some(*declared)
        {
            let (input, declared) = (given.name, *declared);
            return Err(InputError::Size { input, dimension, declared, given: size });
        }
    }
    Ok(given)
}

/// The shape of an input that is drawn, and the symbolic dimensions whose size was supposed.
pub fn shape(input: &ValueInfoProto, given: &Given) -> Option<(Vec<usize>, Vec<String>)> {
    if let Some(shape) = given.shapes.get(input.name()) {
        return Some((shape.clone(), Vec::new()));
    }
    let mut supposed = Vec::new();
    let mut size = |dimension: Option<Size>| match dimension {
        Some(Size::DimValue(size)) if size >= 0 => usize::try_from(size).ok(),
        Some(Size::DimParam(name)) if given.dimensions.contains_key(&name) => {
            given.dimensions.get(&name).copied()
        }
        Some(Size::DimParam(name)) if !name.is_empty() => {
            supposed.push(name);
            Some(1)
        }
        Some(Size::DimValue(_) | Size::DimParam(_)) | None => {
            supposed.push("?".to_owned());
            Some(1)
        }
    };
    let shape = input.r#type.as_ref().and_then(dimensions)?;
    let shape = shape.into_iter().map(&mut size).collect::<Option<_>>()?;
    Some((shape, supposed))
}

fn drawn(
    place: usize,
    input: &ValueInfoProto,
    source: Option<&Source>,
    given: &Given,
) -> Result<(Value, String), InputError> {
    let name = || input.name().to_owned();
    let dtype = stated(input).ok_or_else(|| InputError::NotDrawn { input: name() })?;
    let is_tensor = matches!(
        input.r#type.as_ref().and_then(|of| of.value.as_ref()),
        Some(TypeValue::TensorType(_))
    );
    if !is_tensor || matches!(dtype.kind(), Kind::String | Kind::Complex(_)) {
        return Err(InputError::NotDrawn { input: name() });
    }
    let (shape, supposed) =
        shape(input, given).ok_or_else(|| InputError::NoShape { input: name() })?;
    let too_large = |source| InputError::TooLarge { input: name(), source };
    let elements = element_count(&shape).map_err(too_large)?;
    if elements > ELEMENTS_LIMIT {
        return Err(InputError::TooMany { input: name(), elements });
    }
    let source = source.cloned().unwrap_or(match dtype.kind() {
        Kind::Float(_) => Source::Normal(0.0, 0.5),
        _ => Source::Integers(0, 4),
    });
    let mut random = Random::at(given.seed, place as u64);
    let draws = (0..elements).map(|_| source.draw(dtype, &mut random));
    let value = Tensor::from_elements(dtype, shape, draws.map(u128::from)).map_err(too_large)?;
    let supposed: String =
        supposed.iter().map(|dimension| format!(", dimension {dimension} = 1")).collect();
    Ok((value.into(), format!("{source}{supposed}")))
}

impl Source {
    /// The bits of an element.
    fn draw(&self, dtype: DType, random: &mut Random) -> u64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits are held")]
        let unit = |random: &mut Random| (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
        let number = |value: f64| match dtype.kind() {
            Kind::Float(format) => of_float(format, value),
            _ => clamped(dtype, value.round() as i128),
        };
        match *self {
            // Box and Muller; by libm's functions, which are the same everywhere.
            Self::Normal(mean, deviation) => {
                let radius = libm::sqrt(-2.0 * libm::log(1.0 - unit(random)));
                let angle = std::f64::consts::TAU * unit(random);
                number(mean + deviation * radius * libm::cos(angle))
            }
            Self::Uniform(from, to) => number(from + (to - from) * unit(random)),
            Self::Integers(from, to) => {
                let drawn = random.between(from.into(), to.into());
                match dtype.kind() {
                    #[expect(clippy::cast_precision_loss, reason = "the nearest will do")]
                    Kind::Float(format) => of_float(format, drawn as f64),
                    Kind::Bool => (drawn & 1) as u64,
                    _ => clamped(dtype, drawn),
                }
            }
            Self::Constant(value) => number(value),
            Self::File(_) => 0,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Normal(mean, deviation) => write!(f, "normal({mean},{deviation})"),
            Self::Uniform(from, to) => write!(f, "uniform({from},{to})"),
            Self::Integers(from, to) => write!(f, "integers({from},{to})"),
            Self::Constant(value) => write!(f, "constant({value})"),
        }
    }
}

/// The bits of a number of a format that is near a value, and not beyond it; 0 where it has none.
fn of_float(format: &FloatFormat, value: f64) -> u64 {
    match format.width() {
        64 => return value.to_bits(),
        32 => return u64::from((value as f32).to_bits()),
        _ if value == 0.0 => return 0,
        _ => {}
    }
    // The significand and exponent of a normal number; below them there is nothing that a narrower format holds.
    let bits = value.to_bits();
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
    let mut kept = format.precision();
    let found = loop {
        let dropped = 53 - kept;
        match format.encode(significand >> dropped, exponent + dropped as i32) {
            Some(bits) => break bits,
            None if kept > 1 => kept -= 1,
            None => return 0,
        }
    };
    if value < 0.0 && format.is_signed() { format.negated(found) } else { found }
}

/// The bits of an integer, or of the end of the type's range that is nearest to it.
fn clamped(dtype: DType, value: i128) -> u64 {
    let (low, high, width) = match dtype.kind() {
        Kind::Int { signed: true, bits } => {
            (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1, bits)
        }
        Kind::Int { signed: false, bits } => (0, (1_i128 << bits) - 1, bits),
        _ => (0, 1, 8),
    };
    let bits = value.clamp(low, high).cast_unsigned() & ((1_u128 << width) - 1);
    bits as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::cut::tensor_type;
    use crate::onnx::encode_value;
    use crate::onnx::proto::tensor_shape_proto::Dimension;
    use crate::onnx::proto::{TensorShapeProto, type_proto};

    fn port(name: &str, dtype: DType, shape: &[usize]) -> ValueInfoProto {
        let of = tensor_type(dtype, Some(shape));
        ValueInfoProto { name: Some(name.to_owned()), r#type: Some(of) }
    }

    /// An input whose first dimension is called `N`.
    fn symbolic(name: &str) -> ValueInfoProto {
        let dim = |value| Dimension { value: Some(value) };
        let dims = vec![dim(Size::DimParam("N".to_owned())), dim(Size::DimValue(3))];
        let shape = Some(TensorShapeProto { dim: dims });
        let tensor = type_proto::Tensor { elem_type: Some(DType::Float32.onnx_code()), shape };
        let of = TypeProto { value: Some(TypeValue::TensorType(tensor)) };
        ValueInfoProto { name: Some(name.to_owned()), r#type: Some(of) }
    }

    fn tensor(input: &Input) -> &Tensor {
        match &input.value {
            Value::Tensor(tensor) => tensor,
            _ => panic!("no tensor"),
        }
    }

    #[test]
    fn what_no_file_gives_is_drawn_the_same_each_time() {
        let ports = [port("x", DType::Float32, &[2, 3]), port("ids", DType::Int64, &[100])];
        let drawn = find(&ports, &Given::default()).unwrap();
        let again = find(&ports, &Given::default()).unwrap();
        assert_eq!(tensor(&drawn[0]), tensor(&again[0]));
        let other = find(&ports, &Given { seed: 1, ..Given::default() }).unwrap();
        assert_ne!(tensor(&drawn[0]), tensor(&other[0]));
        let ids = tensor(&drawn[1]).as_slice::<i64>().unwrap().into_owned();
        assert!(ids.iter().all(|id| (0..=4).contains(id)));
        assert_eq!((&*drawn[0].source, &*drawn[1].source), ("normal(0,0.5)", "integers(0,4)"));
    }

    #[test]
    fn symbolic_dimensions_are_given_by_name_or_supposed_and_said() {
        let ports = [symbolic("x")];
        let supposed = find(&ports, &Given::default()).unwrap();
        assert_eq!(tensor(&supposed[0]).shape(), [1, 3]);
        assert_eq!(supposed[0].source, "normal(0,0.5), dimension N = 1");
        let dimensions = BTreeMap::from([("N".to_owned(), 4)]);
        let named = find(&ports, &Given { dimensions, ..Given::default() }).unwrap();
        assert_eq!(tensor(&named[0]).shape(), [4, 3]);
        let shapes = BTreeMap::from([("x".to_owned(), vec![2, 3])]);
        let shaped = find(&ports, &Given { shapes, ..Given::default() }).unwrap();
        assert_eq!(tensor(&shaped[0]).shape(), [2, 3]);
        let shapes = BTreeMap::from([("y".to_owned(), vec![2, 3])]);
        let unknown = find(&ports, &Given { shapes, ..Given::default() }).unwrap_err();
        assert_eq!(unknown.to_string(), "the model has no input `y`; its inputs are `x`");
    }

    #[test]
    fn sources_are_read_and_kept_to() {
        let drawn = |source: &str, dtype| {
            let single = BTreeMap::from([("x".to_owned(), source.parse().unwrap())]);
            let found = find(&[port("x", dtype, &[200])], &Given { single, ..Given::default() });
            tensor(&found.unwrap()[0]).clone()
        };
        let uniform = drawn("uniform(-1, 1)", DType::Float32);
        assert!(uniform.as_slice::<f32>().unwrap().iter().all(|x| x.abs() <= 1.0));
        let counts = drawn("integers(5,9)", DType::Uint8);
        assert!(counts.as_slice::<u8>().unwrap().iter().all(|x| (5..=9).contains(x)));
        let halves = drawn("constant(-0.5)", DType::Float16);
        assert_eq!(halves.element(7), Some(0xb800));
        let packed = drawn("integers(-8,7)", DType::Int4);
        assert_eq!(packed.elements(), 200);
        assert_eq!(drawn("uniform(-30,30)", DType::Float6E3M2).elements(), 200);
        for wrong in ["uniform(1)", "uniform(2,1)", "zeros", "normal(nan,1)", "x.txt"] {
            assert!(wrong.parse::<Source>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn files_are_found_by_name_and_by_place_and_held_against_the_model() {
        let folder = tempfile::tempdir().unwrap();
        let given = || Given { folder: Some(folder.path().to_owned()), ..Given::default() };
        let value = Value::from(Tensor::from_vec(vec![2], vec![1.0_f32, 2.0]).unwrap());
        std::fs::write(folder.path().join("input_1.pb"), encode_value("b", &value)).unwrap();
        let ports = [port("a", DType::Float32, &[2]), port("b", DType::Float32, &[2])];
        let found = find(&ports, &given()).unwrap();
        assert_eq!(found[1].value, value);
        assert!(found[0].source.starts_with("normal"));
        let ports = [port("a", DType::Float32, &[2]), port("b", DType::Int32, &[2])];
        let error = find(&ports, &given()).unwrap_err().to_string();
        assert_eq!(error, "input `b` is int32 by the model, but float32 is given");
        let ports = [port("a", DType::Float32, &[2]), port("b", DType::Float32, &[3])];
        let error = find(&ports, &given()).unwrap_err().to_string();
        assert!(error.contains("has the size 3 by the model, but 2 is given"), "{error}");
    }
}
