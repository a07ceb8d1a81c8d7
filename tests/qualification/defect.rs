//! Seeded defects: what is wrong, where, and what has to find it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use onnx_conformance::backend::adapter::{Adapter, Program, Sandbox};
use onnx_conformance::backend::builtin::Builtin;
use onnx_conformance::backend::{Answer, Backend, Identity, Outcome, Task};
use onnx_conformance::documents::qualification::document::Class;
use onnx_conformance::dtype::DType;

use crate::derived::{self, Fault};
use crate::kernels::{Elements, RIGHT};
use crate::request::Request;
use crate::types::ALL;
use crate::{
    OF_OPERATORS, arithmetic, broadcasting, conversion, indexing, protocol, rounding,
    special_values, type_handling,
};

/// The first argument of this program where it is started as an adapter; the second is the id of the
/// defect, or [`CLEAN`].
pub(crate) const AS_ADAPTER: &str = "--as-adapter";

/// The id of no defect.
pub(crate) const CLEAN: &str = "clean";

/// Time that an adapter has to introduce itself, and for a task, on a machine however busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A defect.
#[derive(Clone, Copy)]
pub(crate) struct Defect {
    pub(crate) id: &'static str,
    pub(crate) class: Class,
    /// A sentence.
    pub(crate) says: &'static str,
    /// The operators that it is seeded into.
    pub(crate) operators: &'static [&'static str],
    /// The types that it is wrong in, by the first operand; where there is none, by the output.
    pub(crate) types: &'static [DType],
    /// The columns that find it, and no other does, separated by spaces; of a derived one the column that at
    /// least finds it.
    pub(crate) caught_by: &'static str,
    pub(crate) wrong: Wrong,
}

/// What is wrong.
#[derive(Clone, Copy)]
pub(crate) enum Wrong {
    /// The arithmetic on elements.
    Elements(Elements),
    /// What becomes of a request, or of what the library's kernel makes of it.
    Tensors(fn(&Request<'_>, Outcome) -> Outcome),
    /// What any operator can have wrong.
    Derived(Fault),
    /// An adapter, in a process of its own: this program. The time that it has for a task.
    Process(Duration),
}

/// What a defect is seeded into, right as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clean {
    Elements,
    Builtin,
    Adapter,
}

impl Clean {
    pub(crate) const ALL: [Self; 3] = [Self::Elements, Self::Builtin, Self::Adapter];

    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Elements => "elements",
            Self::Builtin => "builtin",
            Self::Adapter => "adapter",
        }
    }

    pub(crate) const fn says(self) -> &'static str {
        match self {
            Self::Elements => {
                "arithmetic on single elements, written apart from the library's kernels, behind \
                 their types and shapes"
            }
            Self::Builtin => "the library's own kernels",
            Self::Adapter => "these kernels in a process behind the adapter protocol",
        }
    }

    /// A backend without a defect.
    pub(crate) fn backend(self) -> Arc<dyn Backend> {
        match self {
            Self::Elements => Arc::new(Seeded {
                wrong: Wrong::Elements(RIGHT),
                operators: ALL,
                types: &DType::ALL,
            }),
            Self::Builtin => Arc::new(Builtin),
            Self::Adapter => Arc::new(adapter(CLEAN)),
        }
    }
}

impl Defect {
    /// Every defect: those of Div and Sqrt by fault class, those of each other operator, and the derived ones.
    pub(crate) fn all() -> Vec<Self> {
        let of_classes = [
            arithmetic::DEFECTS,
            rounding::DEFECTS,
            special_values::DEFECTS,
            conversion::DEFECTS,
            indexing::DEFECTS,
            broadcasting::DEFECTS,
            type_handling::DEFECTS,
            protocol::DEFECTS,
        ];
        let mut all = [&of_classes, OF_OPERATORS].concat().concat();
        all.extend(derived::defects());
        all
    }

    /// What it is seeded into.
    pub(crate) const fn seeded_into(&self) -> Clean {
        match self.wrong {
            Wrong::Elements(_) => Clean::Elements,
            Wrong::Tensors(_) | Wrong::Derived(_) => Clean::Builtin,
            Wrong::Process(_) => Clean::Adapter,
        }
    }

    /// A backend with the defect.
    pub(crate) fn backend(&self) -> Arc<dyn Backend> {
        match self.wrong {
            Wrong::Process(_) => Arc::new(adapter(self.id)),
            wrong => {
                let Self { operators, types, .. } = *self;
                Arc::new(Seeded { wrong, operators, types })
            }
        }
    }

    /// Time that it has for a task.
    pub(crate) const fn time(&self) -> Duration {
        match self.wrong {
            Wrong::Process(time) => time,
            Wrong::Elements(_) | Wrong::Tensors(_) | Wrong::Derived(_) => PATIENCE,
        }
    }

    /// Whether it follows from the signature of its operator: in which of its types a case shows it does not.
    pub(crate) const fn is_derived(&self) -> bool {
        matches!(self.wrong, Wrong::Derived(_))
    }

    /// Whether it may show in any case, also in those of other types that are refused.
    pub(crate) fn is_anywhere(&self) -> bool {
        matches!(self.wrong, Wrong::Process(_)) && self.operators == ALL
    }

    /// Whether it may show in a case: one of an operator that it is seeded into, or whose model has no
    /// operator at all.
    pub(crate) fn is_of(&self, operator: &str) -> bool {
        operator.is_empty() || self.operators.contains(&operator)
    }

    pub(crate) fn types(&self) -> impl Iterator<Item = &'static str> {
        self.types.iter().map(|dtype| dtype.name())
    }
}

/// This program as an adapter, with the defect of an id.
pub(crate) fn program(id: &str) -> Program {
    Program {
        path: std::env::current_exe().unwrap(),
        arguments: vec![AS_ADAPTER.into(), id.into()],
        folder: None,
        memory_limit: None,
        sandbox: Sandbox::default(),
    }
}

fn adapter(id: &str) -> Adapter {
    Adapter::start(program(id), 1, PATIENCE).unwrap()
}

/// A backend in this process: the built-in one with something wrong in some operators and types.
struct Seeded {
    wrong: Wrong,
    operators: &'static [&'static str],
    types: &'static [DType],
}

impl Backend for Seeded {
    fn identity(&self) -> Identity {
        Identity { name: "seeded".into(), version: "1".into(), details: BTreeMap::new() }
    }

    fn run(&self, task: &Task<'_>) -> Answer {
        let right = Builtin.run(task).outcome;
        let request = match self.wrong {
            Wrong::Derived(_) => Request::with_gaps(task),
            _ => Request::of(task),
        };
        let Some(request) = request else { return right.into() };
        if !self.operators.contains(&request.operator.name())
            || !self.types.contains(&request.dtype())
        {
            return right.into();
        }
        match self.wrong {
            Wrong::Elements(elements) => elements.answer(&request, right),
            Wrong::Tensors(change) => change(&request, right),
            Wrong::Derived(fault) => fault.outcome(&request, right),
            Wrong::Process(_) => panic!("a process is no backend in this one"),
        }
        .into()
    }
}
