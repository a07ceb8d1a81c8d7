//! The judge for programs in C: what `adapters/c/onnx_judge.h` declares, which says how to use it.
//!
//! One call takes a model's bytes, inputs and outputs, and gives a judgement, which has to be freed. No panic leaves a
//! function, and threads may judge at the same time; a judgement is of one thread at a time.

#![allow(unsafe_code, reason = "C gives addresses")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use judge::compare::{OutputComparison, element_line};
use judge::outcome::Outcome;
use judge::profile::Profile;
use judge::reference::operator::Specification;
use judge::values::dtype::DType;
use judge::values::model::{Format, Model};
use judge::values::tensor::{Tensor, Value};
use judge::{Judgement, Trial};

/// A tensor where C has it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OnnxJudgeTensor {
    /// Its elements, in row-major order.
    pub data: *const c_void,
    /// How many bytes they take.
    pub size: usize,
    /// Their type, by its number in ONNX's `TensorProto.DataType`.
    pub element_type: i32,
    /// Its dimensions.
    pub shape: *const i64,
    /// How many there are.
    pub rank: usize,
}

/// A judgement, as C asks for its parts.
#[derive(Debug)]
pub struct OnnxJudgement {
    verdict: CString,
    text: CString,
    elements: u64,
    mismatches: u64,
    undecided: u64,
    worst: Vec<Worst>,
}

#[derive(Debug)]
struct Worst {
    output: usize,
    index: Vec<usize>,
    text: CString,
}

/// What a call ends with, as in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
enum Status {
    Judged = 0,
    Argument = 1,
    Model = 2,
    Tensor = 3,
    Profile = 4,
    Internal = 5,
}

/// A status and why.
type Failure = (Status, String);

/// Judges the outputs of a model; see the header.
///
/// # Safety
///
/// The addresses are those of what the header says, or null where it allows that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn onnx_judge(
    model: *const c_void,
    model_size: usize,
    inputs: *const OnnxJudgeTensor,
    input_count: usize,
    outputs: *const OnnxJudgeTensor,
    output_count: usize,
    profile: *const c_char,
    judgement: *mut *mut OnnxJudgement,
    error: *mut c_char,
    error_size: usize,
) -> i32 {
    if judgement.is_null() {
        return write_failure(
            error,
            error_size,
            (Status::Argument, "judgement is NULL".to_owned()),
        );
    }
    // SAFETY: it is the address of a pointer, as the caller promises.
    unsafe { *judgement = ptr::null_mut() };
    let judged = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as the caller promises.
        let (model, inputs, outputs) = unsafe {
            (
                bytes(model, model_size, "the model")?,
                tensors(inputs, input_count, "input")?,
                tensors(outputs, output_count, "output")?,
            )
        };
        let name = if profile.is_null() {
            "exact"
        } else {
            // SAFETY: it is a string that ends with a zero byte, as the caller promises.
            let name = unsafe { CStr::from_ptr(profile) }.to_str();
            name.map_err(|_| (Status::Profile, "the profile's name is not UTF-8".to_owned()))?
        };
        judged(model, &inputs, outputs, name)
    }));
    match judged {
        Ok(Ok(found)) => {
            // SAFETY: as above.
            unsafe { *judgement = Box::into_raw(Box::new(found)) };
            Status::Judged as i32
        }
        Ok(Err(failure)) => write_failure(error, error_size, failure),
        Err(_) => {
            write_failure(error, error_size, (Status::Internal, "the judge panicked".to_owned()))
        }
    }
}

fn judged(
    model: &[u8],
    inputs: &[Value],
    outputs: Vec<Value>,
    profile: &str,
) -> Result<OnnxJudgement, Failure> {
    let profile = Profile::named(profile).map_err(|error| (Status::Profile, error.to_string()))?;
    let model = Model::decode(Format::Onnx, "the model", model.to_vec().into())
        .map_err(|error| (Status::Model, error.to_string()))?;
    let (given, wanted) = (inputs.len(), model.inputs().len());
    if given > wanted {
        let problem = format!("{given} inputs are given, and the model has {wanted}");
        return Err((Status::Argument, problem));
    }
    let trial = Trial::of_model(&model, inputs, Specification::Onnx);
    Ok(OnnxJudgement::of(&trial.judge(&profile, &Outcome::Outputs(outputs))))
}

impl OnnxJudgement {
    fn of(judgement: &Judgement) -> Self {
        let sum = |of: fn(&OutputComparison) -> u64| {
            judgement.outputs.iter().map(of).fold(0, u64::saturating_add)
        };
        let worst = judgement.outputs.iter().enumerate().flat_map(|(output, compared)| {
            compared.worst.iter().map(move |worst| {
                let elements = [&worst.expected, &worst.actual];
                let (name, of) = (&compared.name, &compared.type_name);
                let line = element_line(name, &worst.index, &worst.inputs, elements, worst.ulp, of);
                Worst { output, index: worst.index.clone(), text: text(&line) }
            })
        });
        Self {
            verdict: text(&judgement.verdict.to_string()),
            text: text(&judgement.to_string()),
            elements: sum(|it| it.elements),
            mismatches: sum(|it| it.mismatches),
            undecided: sum(|it| it.undecided),
            worst: worst.collect(),
        }
    }
}

/// A text for C, which ends at a zero byte.
fn text(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_default()
}

/// Writes why a call failed where the caller wants it, cut where there is no more room.
fn write_failure(error: *mut c_char, size: usize, (status, why): Failure) -> i32 {
    if !error.is_null() && size > 0 {
        let why = why.replace('\0', "\\0");
        let mut kept = why.len().min(size - 1);
        while !why.is_char_boundary(kept) {
            kept -= 1;
        }
        // SAFETY: there are `size` bytes at the address, as the caller promises.
        unsafe {
            ptr::copy_nonoverlapping(why.as_ptr(), error.cast(), kept);
            *error.add(kept) = 0;
        }
    }
    status as i32
}

/// The bytes at an address; none may be anywhere.
///
/// # Safety
///
/// There are so many at the address, unless it is null.
unsafe fn bytes<'a>(data: *const c_void, size: usize, what: &str) -> Result<&'a [u8], Failure> {
    match (data.is_null(), size) {
        (_, 0) => Ok(&[]),
        (true, _) => Err((Status::Argument, format!("the address of {what} is NULL"))),
        (false, size) if size > isize::MAX as usize => {
            Err((Status::Argument, format!("{what} is larger than memory")))
        }
        // SAFETY: as the caller promises.
        (false, size) => Ok(unsafe { slice::from_raw_parts(data.cast(), size) }),
    }
}

/// # Safety
///
/// There are so many tensors at the address, unless it is null, with the elements and dimensions that they say.
unsafe fn tensors(
    at: *const OnnxJudgeTensor,
    count: usize,
    what: &str,
) -> Result<Vec<Value>, Failure> {
    if count == 0 {
        return Ok(Vec::new());
    }
    if at.is_null() || count > isize::MAX as usize / size_of::<OnnxJudgeTensor>() {
        return Err((Status::Argument, format!("the address of the {what}s is NULL")));
    }
    // SAFETY: as the caller promises.
    let given = unsafe { slice::from_raw_parts(at, count) };
    given
        .iter()
        .enumerate()
        .map(|(place, tensor)| {
            let name = format!("{what} {place}");
            // SAFETY: as the caller promises.
            unsafe { value(tensor, &name) }
        })
        .collect()
}

/// # Safety
///
/// As of [`tensors`].
unsafe fn value(tensor: &OnnxJudgeTensor, name: &str) -> Result<Value, Failure> {
    let failed = |why: String| (Status::Tensor, format!("{name}: {why}"));
    let dtype = DType::from_onnx(tensor.element_type)
        .ok_or_else(|| failed(format!("there is no element type {}", tensor.element_type)))?;
    if tensor.rank > 0 && tensor.shape.is_null() {
        return Err(failed("the address of its shape is NULL".to_owned()));
    }
    let dims = match tensor.rank {
        0 => &[][..],
        rank if rank > judge::values::tensor::MAX_RANK => {
            return Err(failed(format!("it has {rank} dimensions")));
        }
        // SAFETY: as the caller promises.
        rank => unsafe { slice::from_raw_parts(tensor.shape, rank) },
    };
    let shape = dims.iter().map(|&dim| usize::try_from(dim));
    let shape = shape.collect::<Result<Vec<_>, _>>();
    let shape = shape.map_err(|_| failed("a dimension is negative".to_owned()))?;
    // SAFETY: as the caller promises.
    let data = unsafe { bytes(tensor.data, tensor.size, name)? };
    let tensor = Tensor::from_bits(dtype, shape, data.to_vec().into());
    Ok(tensor.map_err(|error| failed(error.to_string()))?.into())
}

/// The judgement at an address.
///
/// # Safety
///
/// It is null or one that [`onnx_judge`] gave and that was not freed.
unsafe fn at<'a>(judgement: *const OnnxJudgement) -> Option<&'a OnnxJudgement> {
    // SAFETY: as the caller promises.
    unsafe { judgement.as_ref() }
}

/// Defines functions that give a part of a judgement.
macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident -> $of:ty: |$it:ident| $part:expr, $none:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// The judgement is null or one that [`onnx_judge`] gave and that was not freed.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(judgement: *const OnnxJudgement) -> $of {
            // SAFETY: as the caller promises.
            unsafe { at(judgement) }.map_or($none, |$it| $part)
        }
    )*};
}

parts! {
    /// The verdict, such as `pass`; null for none.
    onnx_judgement_verdict -> *const c_char: |it| it.verdict.as_ptr(), ptr::null();
    /// The judgement in words; null for none.
    onnx_judgement_text -> *const c_char: |it| it.text.as_ptr(), ptr::null();
    /// Elements that were compared.
    onnx_judgement_elements -> u64: |it| it.elements, 0;
    /// Elements that do not conform.
    onnx_judgement_mismatches -> u64: |it| it.mismatches, 0;
    /// Elements that the profile or the specification leaves open.
    onnx_judgement_undecided -> u64: |it| it.undecided, 0;
    /// How many of the worst elements are known.
    onnx_judgement_worst_count -> usize: |it| it.worst.len(), 0;
}

/// One of the worst elements in words; null where there is none at the place.
///
/// # Safety
///
/// As of [`onnx_judgement_verdict`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn onnx_judgement_worst_text(
    judgement: *const OnnxJudgement,
    place: usize,
) -> *const c_char {
    // SAFETY: as the caller promises.
    let worst = unsafe { at(judgement) }.and_then(|it| it.worst.get(place));
    worst.map_or(ptr::null(), |worst| worst.text.as_ptr())
}

/// The output that one of the worst elements is in, and its row-major index there; 0 where there is none at the place.
///
/// # Safety
///
/// As of [`onnx_judgement_verdict`]; there is a place for a number at each address that is not null, and for `rank`
/// numbers at `index`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn onnx_judgement_worst_index(
    judgement: *const OnnxJudgement,
    place: usize,
    output: *mut usize,
    index: *mut i64,
    rank: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let Some(worst) = unsafe { at(judgement) }.and_then(|it| it.worst.get(place)) else { return 0 };
    // SAFETY: as the caller promises.
    unsafe {
        if !output.is_null() {
            *output = worst.output;
        }
        if !index.is_null() {
            for (at, coordinate) in worst.index.iter().take(rank).enumerate() {
                *index.add(at) = i64::try_from(*coordinate).unwrap_or(i64::MAX);
            }
        }
    }
    worst.index.len()
}

/// Frees a judgement; null is none.
///
/// # Safety
///
/// It is null or one that [`onnx_judge`] gave, and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn onnx_judgement_free(judgement: *mut OnnxJudgement) {
    if !judgement.is_null() {
        // SAFETY: it was made by `Box::into_raw`, as the caller promises.
        drop(unsafe { Box::from_raw(judgement) });
    }
}
