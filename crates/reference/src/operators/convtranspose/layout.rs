//! Where the elements and the weights of a transposed convolution meet.
//!
//! The data are [N, C, D1, .., Dn], the weights [C, M / group, K1, .., Kn], and the output is [N, M, O1, .., On]. An
//! element at i meets the weight at k in the output at `i * stride + k * dilation - pad`.
//!
//! Nothing is decided where texts say two things or none: of an `output_padding` of a stride or more that is less than the dilation
//! (one of a dilation or more, but less than the stride, is in ONNX's own examples), of one beside `SAME_UPPER` or `SAME_LOWER`, of these
//! words with strides in version 1, and of an odd padding there.

use values::tensor::coordinates;

use crate::families::integer_products::convolution::{Sizes, Taps};
use crate::operator::{Call, Invalid};

/// A transposed convolution.
#[derive(Clone, Debug)]
pub(crate) struct Transposed {
    data: Vec<usize>,
    weights: Vec<usize>,
    /// Channels of the data, and of the output, in each group.
    channels: [usize; 2],
    axes: Vec<Axis>,
    shape: Vec<usize>,
    open: Option<&'static str>,
}

const LIMIT: &str =
    "it is to be less than \"stride/dilation\", which may be either of them or both";
const LONGER: &str =
    "the output is the input times the stride, and `output_padding` adds elements to it";
const MATCHED: &str = "version 1 says that the output matches the input, and nothing of strides";

/// One of the dimensions that weights are moved along.
#[derive(Clone, Copy, Debug)]
struct Axis {
    stride: i128,
    dilation: i128,
    /// What is cut off at the beginning.
    before: i128,
}

impl Axis {
    /// The place in the data that a weight meets for an element; none before the beginning and between elements.
    fn meets(&self, at: usize, tap: usize) -> Option<usize> {
        let reach = at as i128 + self.before - tap as i128 * self.dilation;
        let is_hit = reach >= 0 && reach % self.stride == 0;
        usize::try_from(reach / self.stride).ok().filter(|_| is_hit)
    }
}

impl Transposed {
    /// That of data and weights of these shapes.
    pub(super) fn of(call: &Call, data: &[usize], weights: &[usize]) -> Result<Self, Invalid> {
        let unfit = || call.invalid(&format!("cannot take {data:?} and weights of {weights:?}"));
        let ([batch, channels, sizes @ ..], [inputs, per_group, kernel @ ..]) = (data, weights)
        else {
            return Err(unfit());
        };
        let groups = call.int("group").and_then(|group| usize::try_from(group).ok());
        let groups = groups.filter(|group| *group > 0);
        let groups = groups.ok_or_else(|| call.invalid("has no such number of groups"))?;
        let outputs = per_group.checked_mul(groups).ok_or_else(unfit)?;
        let rank = sizes.len();
        let fits = inputs == channels && channels % groups == 0;
        if rank == 0 || kernel.len() != rank || kernel.contains(&0) || !fits {
            return Err(unfit());
        }
        if let Some(stated) = call.ints("kernel_shape") {
            let is_own = |(stated, own): (&i64, &usize)| usize::try_from(*stated) == Ok(*own);
            if stated.len() != rank || !stated.iter().zip(kernel).all(is_own) {
                return Err(call.invalid("has another `kernel_shape` than its weights"));
            }
        }
        let strides = list(call, "strides", rank, 1)?;
        let dilations = list(call, "dilations", rank, 1)?;
        let pads = list(call, "pads", 2 * rank, 0)?;
        let more = list(call, "output_padding", rank, 0)?;
        let stated = call.ints("output_shape").map(|_| list(call, "output_shape", rank, 0));
        let stated = stated.transpose()?;
        let auto = call.text("auto_pad").unwrap_or("NOTSET");
        if auto != "NOTSET" && call.ints("pads").is_some() {
            return Err(call.invalid("takes no `pads` beside `auto_pad`"));
        }
        let mut found = Self {
            data: data.to_vec(),
            weights: weights.to_vec(),
            channels: [channels / groups, *per_group],
            axes: Vec::new(),
            shape: vec![*batch, outputs],
            open: None,
        };
        for (at, (size, kernel)) in sizes.iter().zip(kernel).enumerate() {
            let [size, kernel] = [size, kernel].map(|size| *size as i128);
            let [stride, dilation, more] = [strides[at], dilations[at], more[at]].map(i128::from);
            let has_limit = call.version.since >= 11 && more > 0;
            if has_limit && more >= stride.max(dilation) {
                return Err(call.invalid("has an `output_padding` of a stride or more"));
            }
            if has_limit && more >= stride {
                found.open = Some(LIMIT);
            }
            let whole = stride * (size - 1) + more + (kernel - 1) * dilation + 1;
            let same = auto.starts_with("SAME").then_some(size * stride);
            if same.is_some() && stated.is_none() {
                if more > 0 {
                    found.open = Some(LONGER);
                } else if call.version.since < 11 && stride > 1 {
                    found.open = Some(MATCHED);
                }
            }
            let wanted = stated.as_ref().map(|sizes| i128::from(sizes[at])).or(same);
            let (before, output) = match wanted {
                Some(output) => {
                    let total = whole - output;
                    if total < 0 {
                        found.open = Some("nothing says what a negative padding is");
                    } else if total % 2 == 1 && call.version.since < 11 {
                        found.open = Some("version 1 says two things of an odd padding");
                    }
                    let less = total.div_euclid(2);
                    (if auto == "SAME_UPPER" { less } else { total - less }, output)
                }
                None => {
                    let [before, after] = [pads[at], pads[rank + at]].map(i128::from);
                    (before, whole - before - after)
                }
            };
            let output = usize::try_from(output);
            found.shape.push(output.map_err(|_| call.invalid("has padding beyond its output"))?);
            found.axes.push(Axis { stride, dilation, before });
        }
        Ok(found)
    }

    /// The dimensions of the output.
    pub(super) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Why no element is decided, if so.
    pub(crate) const fn open(&self) -> Option<&'static str> {
        self.open
    }
}

/// The values of an attribute for so many axes, none of them below one value, which is that of all where it is not given.
fn list(call: &Call, name: &str, count: usize, least: i64) -> Result<Vec<i64>, Invalid> {
    match call.ints(name) {
        None => Ok(vec![least; count]),
        Some(values) if values.len() == count && values.iter().all(|value| *value >= least) => {
            Ok(values.to_vec())
        }
        Some(values) => Err(call.invalid(&format!("cannot have the `{name}` {values:?}"))),
    }
}

impl Taps for Transposed {
    fn channel(&self, index: usize) -> usize {
        coordinates(index, &self.shape).get(1).copied().unwrap_or_default()
    }

    fn sizes(&self) -> Sizes<'_> {
        let [inputs, outputs] = self.channels;
        let all = self.data.get(1).copied().unwrap_or_default();
        Sizes {
            batch: self.data.first().copied().unwrap_or_default(),
            groups: all.checked_div(inputs).unwrap_or_default(),
            channels: [outputs, inputs],
            data: self.data.get(2..).unwrap_or_default(),
            kernel: self.weights.get(2..).unwrap_or_default(),
            output: self.shape.get(2..).unwrap_or_default(),
        }
    }

    fn meets(&self, axis: usize, at: usize, tap: usize) -> Option<usize> {
        self.axes.get(axis)?.meets(at, tap)
    }

    fn weight(&self, group: usize, [output, channel]: [usize; 2], tap: usize) -> usize {
        let Sizes { channels: [outputs, inputs], kernel, .. } = self.sizes();
        let within: usize = kernel.iter().product();
        ((group * inputs + channel) * outputs + output) * within + tap
    }
}
