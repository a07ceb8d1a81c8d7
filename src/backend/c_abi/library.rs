//! The one place that calls foreign code.
#![expect(unsafe_code, reason = "functions of a shared library have no other way to be called")]

use std::ffi::c_void;
use std::path::Path;

use bytes::Bytes;
use libloading::Symbol;

use super::buffer::Buffer;
use crate::tensor::{Tensor, TensorError};

/// A function of one operand: `(x, y, n)`.
type Unary = unsafe extern "C" fn(*const c_void, *mut c_void, usize) -> i32;

/// A function of two operands: `(a, b, c, n)`.
type Binary = unsafe extern "C" fn(*const c_void, *const c_void, *mut c_void, usize) -> i32;

/// A shared library in this process.
#[derive(Debug)]
pub(super) struct Library(libloading::Library);

#[derive(Debug)]
pub(super) enum Kernel<'l> {
    Unary(Symbol<'l, Unary>),
    Binary(Symbol<'l, Binary>),
}

/// A kernel did not compute its output.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum KernelError {
    #[error("the function returned status {0}")]
    Status(i32),
    #[error("the function takes another number of operands, or operands of one size")]
    Operands,
    #[error(transparent)]
    Output(#[from] TensorError),
}

impl Library {
    pub(super) fn open(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the initialisers that run are the library's own business; whoever names a
        // library asks for its code to be run, in a process that does nothing else.
        unsafe { libloading::Library::new(path) }.map(Self)
    }

    /// The function of this name, which is one of so many operands.
    pub(super) fn kernel(&self, symbol: &str, operands: usize) -> Option<Kernel<'_>> {
        // SAFETY: a function of this name has this signature, but for the element type that its
        // pointers point to: that is the ABI, and the header that declares it is what the library
        // is compiled against.
        unsafe {
            match operands {
                1 => self.0.get(symbol).ok().map(Kernel::Unary),
                2 => self.0.get(symbol).ok().map(Kernel::Binary),
                _ => None,
            }
        }
    }
}

impl Kernel<'_> {
    /// Computes a tensor of the operands' type and shape, which are the same for all; the type is
    /// that of the function's elements.
    pub(super) fn run(&self, operands: &[&Tensor]) -> Result<Tensor, KernelError> {
        let first = operands.first().ok_or(KernelError::Operands)?;
        let bits = operands.iter().filter_map(|operand| operand.bits());
        let buffers: Vec<Buffer> = bits.map(Buffer::holding).collect();
        let (n, len) = (first.elements(), first.bits().map_or(0, Bytes::len));
        if buffers.iter().any(|buffer| buffer.as_ref().len() != len) {
            return Err(KernelError::Operands);
        }
        let mut output = Buffer::unwritten(len);
        // SAFETY: every pointer is to `n` elements in a buffer of its own, aligned for each of the
        // ABI's types and never null, that outlives the call.
        let status = unsafe {
            match (self, buffers.as_slice()) {
                (Self::Unary(function), [x]) => function(x.start(), output.start_mut(), n),
                (Self::Binary(function), [a, b]) => {
                    function(a.start(), b.start(), output.start_mut(), n)
                }
                _ => return Err(KernelError::Operands),
            }
        };
        if status != 0 {
            return Err(KernelError::Status(status));
        }
        Ok(Tensor::from_bits(first.dtype(), first.shape().to_vec(), Bytes::from_owner(output))?)
    }
}
