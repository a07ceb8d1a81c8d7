//! Operators that repeat elements, or lay them out in blocks, triangles and shapes, wrongly.

use onnx_conformance::backend::{Outcome, RefusalKind};
use onnx_conformance::documents::qualification::document::Class::{
    Broadcasting, Conversion, Indexing, SpecialValues,
};
use onnx_conformance::dtype::DType::{Float32, Int64, Uint8};
use onnx_conformance::kernels::Attribute;
use onnx_conformance::tensor::{Tensor, coordinates, row_major};

use crate::defect::{Defect, Wrong};
use crate::request::{Request, as_other, changed, of_type, picked, refused};

const EXPAND: &[&str] = &["Expand"];
const TILE: &[&str] = &["Tile"];
const TO_SPACE: &[&str] = &["DepthToSpace"];
const TO_DEPTH: &[&str] = &["SpaceToDepth"];
const TRILU: &[&str] = &["Trilu"];
const OF_SHAPE: &[&str] = &["ConstantOfShape"];

/// The integers of an operand.
fn integers(request: &Request<'_>, at: usize) -> Vec<i64> {
    let Some(operand) = request.operands.get(at) else { return Vec::new() };
    (0..operand.elements()).map(|at| operand.element(at).unwrap() as i64).collect()
}

/// The request with other integers in an operand.
fn with_integers(request: &Request<'_>, at: usize, integers: &[i64]) -> Outcome {
    let mut other = request.clone();
    let shape = match request.operands[at].shape() {
        [] => Vec::new(),
        _ => vec![integers.len()],
    };
    other.operands[at] = Tensor::from_values(Int64, shape, integers.to_vec()).unwrap();
    other.computed()
}

fn int(request: &Request<'_>, name: &str) -> Option<i64> {
    match request.attributes.get(name) {
        Some(Attribute::Int(value)) => Some(*value),
        _ => None,
    }
}

/// The right output with each element from where the function says by its coordinates.
fn moved(right: Outcome, from: impl Fn(&mut [usize], &[usize])) -> Outcome {
    changed(right, |tensor| {
        let shape = tensor.shape();
        let source = |at: usize| {
            let mut place = coordinates(at, shape);
            from(&mut place, shape);
            row_major(&place, shape).unwrap()
        };
        let places: Vec<usize> = (0..tensor.elements()).map(source).collect();
        picked(&tensor, &places, shape)
    })
}

/// The request with the data cut to these sizes.
fn cut(request: &Request<'_>, sizes: &[usize]) -> Outcome {
    let data = &request.operands[0];
    let source = |at| row_major(&coordinates(at, sizes), data.shape()).unwrap();
    let places: Vec<usize> = (0..sizes.iter().product()).map(source).collect();
    let mut other = request.clone();
    other.operands[0] = picked(data, &places, sizes);
    other.computed()
}

/// The output of ConstantOfShape, where it has elements of this type, made anew of its bits.
macro_rules! made {
    ($dtype:ident, $type:ty, |$bits:ident| $result:expr) => {
        Wrong::Tensors(|_, right| {
            changed(right, |tensor| match (tensor.dtype(), tensor.element(0)) {
                (onnx_conformance::dtype::DType::$dtype, Some(element)) => {
                    let $bits = element as $type;
                    let all = vec![$result; tensor.elements()];
                    Tensor::from_values(tensor.dtype(), tensor.shape().to_vec(), all).unwrap()
                }
                _ => tensor,
            })
        })
    };
}

pub(crate) const DEFECTS: &[Defect] = &[
    Defect {
        id: "expand-list-is-the-shape",
        class: Broadcasting,
        says: "The list has to be the shape of the output, whose sizes the input never says.",
        operators: EXPAND,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let list = integers(request, 1);
            let is_shape = |tensor: &Tensor| {
                tensor.shape().iter().map(|&size| size as i64).eq(list.iter().copied())
            };
            match &right {
                Outcome::Outputs(outputs) if !is_shape(outputs[0].tensors()[0]) => {
                    refused(RefusalKind::Error, "the list is not the shape")
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "expand-repeated-as-a-whole",
        class: Broadcasting,
        says: "The input is repeated as a whole, whatever dimension is repeated.",
        operators: EXPAND,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| changed(right, |tensor| {
            let data = &request.operands[0];
            let places: Vec<usize> =
                (0..tensor.elements()).map(|at| at % data.elements()).collect();
            picked(data, &places, tensor.shape())
        })),
    },
    Defect {
        id: "expand-open-size-taken",
        class: Broadcasting,
        says: "A size of -1 stands for that of the input.",
        operators: EXPAND,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let list = integers(request, 1);
            if list.contains(&-1) {
                let sizes: Vec<i64> = list.iter().map(|&size| size.abs()).collect();
                with_integers(request, 1, &sizes)
            } else {
                right
            }
        }),
    },
    Defect {
        id: "expand-places-in-16-bits",
        class: Indexing,
        says: "Places in the output are counted in 16 bits.",
        operators: EXPAND,
        types: &[Uint8],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| {
                let places: Vec<usize> = (0..tensor.elements()).map(|at| at & 0xffff).collect();
                picked(&tensor, &places, tensor.shape())
            })
        }),
    },
    Defect {
        id: "tile-elements-repeated",
        class: Indexing,
        says: "Each element is repeated in its place, as NumPy's repeat does.",
        operators: TILE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| changed(right, |tensor| {
            let data = &request.operands[0];
            let shape = tensor.shape();
            let source = |at: usize| {
                let place = coordinates(at, shape);
                let sizes = data.shape().iter().zip(shape).zip(place);
                let within: Vec<usize> = sizes.map(|((own, size), at)| at / (size / own)).collect();
                row_major(&within, data.shape()).unwrap()
            };
            let places: Vec<usize> = (0..tensor.elements()).map(source).collect();
            picked(data, &places, shape)
        })),
    },
    Defect {
        id: "tile-list-backwards",
        class: Indexing,
        says: "The list is read from its end.",
        operators: TILE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let mut list = integers(request, 1);
            list.reverse();
            match (request.operands.len(), &right) {
                (2, Outcome::Outputs(_)) => with_integers(request, 1, &list),
                _ => right,
            }
        }),
    },
    Defect {
        id: "tile-no-copies-are-one",
        class: Indexing,
        says: "Where no copies are asked for, there is one.",
        operators: TILE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let list = integers(request, 1);
            if request.operands.len() == 2 && list.contains(&0) {
                let list: Vec<i64> = list.iter().map(|&copies| copies.max(1)).collect();
                with_integers(request, 1, &list)
            } else {
                right
            }
        }),
    },
    Defect {
        id: "tile-short-list-continued",
        class: Indexing,
        says: "A list that is too short is continued by ones in front.",
        operators: TILE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let (list, rank) = (integers(request, 1), request.operands[0].shape().len());
            match (request.operands.len(), request.operands[1].shape().len()) {
                (2, 1) if list.len() < rank => {
                    let list = [vec![1; rank - list.len()], list].concat();
                    with_integers(request, 1, &list)
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "depthtospace-default-crd",
        class: Indexing,
        says: "Without a mode the places within a block are the inner part of the channels.",
        operators: TO_SPACE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match request.attributes.get("mode") {
            None if request.operator.since_version() >= 11 => {
                request.with("mode", Some(Attribute::Text("CRD".to_owned()))).computed()
            }
            _ => right,
        }),
    },
    Defect {
        id: "depthtospace-blocks-transposed",
        class: Indexing,
        says: "Rows and columns of each block are exchanged.",
        operators: TO_SPACE,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let block = int(request, "blocksize").unwrap_or(1) as usize;
            moved(right, |place, _| {
                let (y, x) = (place[2] % block, place[3] % block);
                place[2] = place[2] - y + x;
                place[3] = place[3] - x + y;
            })
        }),
    },
    Defect {
        id: "depthtospace-channels-left-over",
        class: Indexing,
        says: "Channels that do not make a whole block are left out without a word.",
        operators: TO_SPACE,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let block = int(request, "blocksize").unwrap_or(0);
            match (request.operands[0].shape(), block, &right) {
                (&[n, c, h, w], 1..100, Outcome::Refused(_)) => {
                    let places = (block * block) as usize;
                    cut(request, &[n, c - c % places, h, w])
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "spacetodepth-places-inner",
        class: Indexing,
        says: "The places within a block are the inner part of the channels.",
        operators: TO_DEPTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let block = int(request, "blocksize").unwrap_or(1) as usize;
            let places = block.wrapping_mul(block);
            moved(right, |place, shape| {
                let channels = shape[1] / places;
                place[1] = place[1] % places * channels + place[1] / places;
            })
        }),
    },
    Defect {
        id: "spacetodepth-mode-ignored",
        class: Indexing,
        says: "The mode is ignored.",
        operators: TO_DEPTH,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match request.attributes.get("mode") {
            Some(_) => request.with("mode", None).computed(),
            None => right,
        }),
    },
    Defect {
        id: "spacetodepth-blocks-transposed",
        class: Indexing,
        says: "Rows and columns of each block are exchanged.",
        operators: TO_DEPTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |request, right| {
            let block = int(request, "blocksize").unwrap_or(1) as usize;
            moved(right, |place, shape| {
                let channels = shape[1] / (block * block);
                let (within, channel) = (place[1] / channels, place[1] % channels);
                place[1] = (within % block * block + within / block) * channels + channel;
            })
        }),
    },
    Defect {
        id: "spacetodepth-first-batch-again",
        class: Indexing,
        says: "Every batch is the first one.",
        operators: TO_DEPTH,
        types: &[Float32],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: of_type!(Float32, |_request, right| moved(right, |place, _| place[0] = 0)),
    },
    Defect {
        id: "spacetodepth-rest-left-over",
        class: Indexing,
        says: "Rows and columns that do not make a whole block are left out without a word.",
        operators: TO_DEPTH,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| {
            let block = int(request, "blocksize").unwrap_or(0);
            match (request.operands[0].shape(), block, &right) {
                (&[n, c, h, w], 1..100, Outcome::Refused(_)) => {
                    let block = block as usize;
                    cut(request, &[n, c, h - h % block, w - w % block])
                }
                _ => right,
            }
        }),
    },
    Defect {
        id: "trilu-multiplied-by-zero",
        class: SpecialValues,
        says: "Other elements are multiplied by zero, so that a NaN stays and a minus as well.",
        operators: TRILU,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| changed(right, |tensor| {
            let given = as_other(&request.operands[0], Float32, tensor.shape());
            let of = |at: usize| {
                let bits = |tensor: &Tensor| tensor.element(at).unwrap() as u32;
                match (bits(&tensor), f32::from_bits(bits(&given))) {
                    (0, given) => (given * 0.0).to_bits(),
                    (kept, _) => kept,
                }
            };
            let all: Vec<u32> = (0..tensor.elements()).map(of).collect();
            Tensor::from_values(Float32, tensor.shape().to_vec(), all).unwrap()
        })),
    },
    Defect {
        id: "trilu-k-of-lower-negated",
        class: Indexing,
        says: "Under the lower part a positive k counts downwards.",
        operators: TRILU,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match (
            integers(request, 1).as_slice(),
            int(request, "upper")
        ) {
            (&[k], Some(0)) => with_integers(request, 1, &[k.wrapping_neg()]),
            _ => right,
        }),
    },
    Defect {
        id: "trilu-k-in-32-bits",
        class: Conversion,
        says: "The lower 32 bits of k are taken.",
        operators: TRILU,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| match integers(request, 1)[..] {
            [k] => with_integers(request, 1, &[i64::from(k as i32)]),
            _ => right,
        }),
    },
    Defect {
        id: "trilu-first-matrix-alone",
        class: Indexing,
        says: "Matrices after the first one come out whole.",
        operators: TRILU,
        types: &[Float32],
        caught_by: "onnx",
        wrong: of_type!(Float32, |request, right| changed(right, |tensor| {
            let given = &request.operands[0];
            let size: usize = tensor.shape().iter().rev().take(2).product();
            let of = |at: usize| (if at < size { &tensor } else { given }).element(at);
            let all: Vec<u32> = (0..tensor.elements()).map(|at| of(at).unwrap() as u32).collect();
            Tensor::from_values(Float32, tensor.shape().to_vec(), all).unwrap()
        })),
    },
    Defect {
        id: "constantofshape-first-byte-everywhere",
        class: Conversion,
        says: "Memory is filled with the first byte of the value.",
        operators: OF_SHAPE,
        types: &[Int64],
        caught_by: "onnx onnx-1.22.0 onnx-1.22.0-exact",
        wrong: made!(Float32, u32, |bits| u32::from_le_bytes([bits as u8; 4])),
    },
    Defect {
        id: "constantofshape-minus-lost",
        class: SpecialValues,
        says: "What is equal to zero is filled as zeros, and so is a negative zero.",
        operators: OF_SHAPE,
        types: &[Int64],
        caught_by: "onnx",
        wrong: made!(Float32, u32, |bits| if bits << 1 == 0 { 0 } else { bits }),
    },
    Defect {
        id: "constantofshape-integers-as-doubles",
        class: Conversion,
        says: "Integers of 64 bits are filled through doubles.",
        operators: OF_SHAPE,
        types: &[Int64],
        caught_by: "onnx",
        wrong: made!(Int64, i64, |value| value as f64 as i64),
    },
    Defect {
        id: "constantofshape-scalar-is-a-vector",
        class: Indexing,
        says: "An empty list gives a single element in one dimension.",
        operators: OF_SHAPE,
        types: &[Int64],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|_, right| {
            changed(right, |tensor| match (tensor.shape(), tensor.bits()) {
                ([], Some(_)) => as_other(&tensor, tensor.dtype(), &[1]),
                _ => tensor,
            })
        }),
    },
    Defect {
        id: "constantofshape-negative-is-none",
        class: Indexing,
        says: "A negative size is taken for 0.",
        operators: OF_SHAPE,
        types: &[Int64],
        caught_by: "onnx",
        wrong: Wrong::Tensors(|request, right| {
            let list = integers(request, 0);
            match (request.operands[0].dtype(), list.iter().any(|&size| size < 0)) {
                (Int64, true) => {
                    let list: Vec<i64> = list.iter().map(|&size| size.max(0)).collect();
                    with_integers(request, 0, &list)
                }
                _ => right,
            }
        }),
    },
];
