//! Shards: equal parts of a campaign or a run for several machines, and the schedulers that number them.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of several parts of a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part, from 1.
    #[cfg_attr(feature = "cli", schemars(range(min = 1, max = u64::MAX)))]
    pub index: u64,
    /// Number of parts.
    #[cfg_attr(feature = "cli", schemars(range(min = 1, max = u64::MAX)))]
    pub count: u64,
}

/// What was given is no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// The text is not `I/N`.
    #[error("`{0}` is not a shard; write I/N, such as 3/16, or auto")]
    Malformed(String),
    /// The index is not one of the parts.
    #[error("shard {0} does not exist; I runs from 1 to N")]
    Outside(Shard),
    /// No scheduler has numbered this process.
    #[error(
        "no scheduler numbers this process: `--shard auto` needs SLURM_ARRAY_TASK_ID and \
         SLURM_ARRAY_TASK_COUNT, or JOB_COMPLETION_INDEX and JOB_COMPLETIONS; or write I/N"
    )]
    NoScheduler,
    /// The ids of a Slurm array are not evenly spaced, so they do not determine which part a task is.
    #[error(
        "the array's {count} tasks do not number the ids {least} to {greatest} in steps of {step}; \
         submit an array without gaps, such as --array=1-{count}"
    )]
    Gaps {
        /// Number of its tasks.
        count: u64,
        /// Least id.
        least: u64,
        /// Greatest id.
        greatest: u64,
        /// Difference of two ids.
        step: u64,
    },
    /// A scheduler's variable is missing or no number.
    #[error("the scheduler's variable {0} is {value}", value = .1.as_deref().map_or_else(
        || "not set".to_owned(),
        |value| format!("`{value}`, which is not a number")
    ))]
    Variable(&'static str, Option<String>),
}

impl Shard {
    /// Part `index` of `count`, if there is one.
    pub const fn new(index: u64, count: u64) -> Result<Self, ShardError> {
        if index == 0 || index > count {
            return Err(ShardError::Outside(Self { index, count }));
        }
        Ok(Self { index, count })
    }

    /// The shard in a text: `I/N`, or `auto` for the one that the scheduler's variables name.
    pub fn parse(
        text: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ShardError> {
        if text == "auto" { Self::scheduled(variable) } else { text.parse() }
    }

    /// The shard that the variables of a scheduler name: the task of a Slurm array, whose ids count
    /// up from the least to the greatest in steps, or the index, from 0, of a Kubernetes Indexed Job,
    /// with `JOB_COMPLETIONS` set to the number of completions by its manifest.
    fn scheduled(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ShardError> {
        let number = |name: &'static str, default: Option<u64>| {
            let value = variable(name);
            match (value.as_deref().map(|value| value.trim().parse()), default) {
                (Some(Ok(number)), _) | (None, Some(number)) => Ok(number),
                _ => Err(ShardError::Variable(name, value)),
            }
        };
        if variable("SLURM_ARRAY_TASK_ID").is_some() {
            let id = number("SLURM_ARRAY_TASK_ID", None)?;
            let count = number("SLURM_ARRAY_TASK_COUNT", None)?;
            let least = number("SLURM_ARRAY_TASK_MIN", Some(1))?;
            let step = number("SLURM_ARRAY_TASK_STEP", Some(1))?.max(1);
            let place =
                |id: u64| id.checked_sub(least).map_or(0, |above| (above / step).saturating_add(1));
            if variable("SLURM_ARRAY_TASK_MAX").is_some() {
                let greatest = number("SLURM_ARRAY_TASK_MAX", None)?;
                if place(greatest) != count {
                    return Err(ShardError::Gaps { count, least, greatest, step });
                }
            }
            return Self::new(place(id), count);
        }
        if variable("JOB_COMPLETION_INDEX").is_some() {
            let index = number("JOB_COMPLETION_INDEX", None)?;
            return Self::new(index.saturating_add(1), number("JOB_COMPLETIONS", None)?);
        }
        Err(ShardError::NoScheduler)
    }

    /// The shard's part of a range. The parts of all shards follow each other without gap, their
    /// sizes differ by one at most.
    pub fn of(self, range: &Range<u64>) -> Range<u64> {
        let len = u128::from(range.end.saturating_sub(range.start));
        let count = self.count.max(1);
        let bound = |part: u64| {
            // At most the length, which is a u64.
            range.start + (len * u128::from(part.min(count)) / u128::from(count)) as u64
        };
        bound(self.index.saturating_sub(1))..bound(self.index)
    }

    /// Whether it takes the entry at this place of a list, from 0: it takes every `count`-th one.
    pub const fn takes(self, place: u64) -> bool {
        matches!(place.checked_rem(self.count), Some(rest) if rest + 1 == self.index)
    }

    /// How many entries of a list of this length it takes.
    pub const fn share(self, length: u64) -> u64 {
        match length.checked_sub(self.index) {
            Some(behind) if self.count > 0 => behind / self.count + 1,
            _ => 0,
        }
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = || ShardError::Malformed(text.to_owned());
        let (index, count) = text.split_once('/').ok_or_else(malformed)?;
        let number = |part: &str| part.parse().map_err(|_| malformed());
        Self::new(number(index)?, number(count)?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_follow_each_other_and_leave_nothing_out() {
        for (range, count) in [(0..65536, 16), (7..10, 5), (0..1 << 46, 3), (1..u64::MAX, 7)] {
            let parts: Vec<_> =
                (1..=count).map(|index| Shard::new(index, count).unwrap().of(&range)).collect();
            assert_eq!(parts[0].start, range.start);
            assert_eq!(parts[parts.len() - 1].end, range.end);
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            let sizes = || parts.iter().map(|part| part.end - part.start);
            assert!(sizes().max().unwrap() - sizes().min().unwrap() <= 1);
        }
    }

    #[test]
    fn a_shard_outside_its_count_or_of_another_form_is_refused() {
        for text in ["0/4", "5/4", "1/0"] {
            assert!(matches!(text.parse::<Shard>(), Err(ShardError::Outside(_))), "{text}");
        }
        for text in ["", "3", "1/2/3", "-1/4", "a/b", "1 / 2"] {
            assert!(matches!(text.parse::<Shard>(), Err(ShardError::Malformed(_))), "{text}");
        }
        assert_eq!("16/16".parse::<Shard>().unwrap().to_string(), "16/16");
    }

    fn scheduled(variables: &[(&str, &str)]) -> Result<String, ShardError> {
        let find = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Shard::parse("auto", find).map(|shard| shard.to_string())
    }

    #[test]
    fn the_variables_of_slurm_and_kubernetes_name_the_shard() {
        let slurm = |id, min, step| {
            scheduled(&[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_COUNT", "8"),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_STEP", step),
            ])
        };
        assert_eq!(slurm("1", "1", "1"), Ok("1/8".to_owned()));
        assert_eq!(slurm("7", "0", "1"), Ok("8/8".to_owned()));
        assert_eq!(slurm("14", "2", "4"), Ok("4/8".to_owned()));
        let kubernetes = [("JOB_COMPLETION_INDEX", "0"), ("JOB_COMPLETIONS", "4")];
        assert_eq!(scheduled(&kubernetes), Ok("1/4".to_owned()));
    }

    #[test]
    fn an_array_with_gaps_is_refused_by_all_of_its_tasks() {
        // As Slurm sets them for `--array=1,3,7`; the task of id 3 would take itself for the last.
        let task = |id, greatest| {
            scheduled(&[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_COUNT", "3"),
                ("SLURM_ARRAY_TASK_MIN", "1"),
                ("SLURM_ARRAY_TASK_MAX", greatest),
                ("SLURM_ARRAY_TASK_STEP", "1"),
            ])
        };
        for id in ["1", "3", "7"] {
            let gaps = ShardError::Gaps { count: 3, least: 1, greatest: 7, step: 1 };
            assert_eq!(task(id, "7"), Err(gaps), "{id}");
        }
        assert_eq!(task("3", "3"), Ok("3/3".to_owned()));
        let unreadable = task("3", "many").unwrap_err().to_string();
        assert_eq!(
            unreadable,
            "the scheduler's variable SLURM_ARRAY_TASK_MAX is `many`, which is not a number"
        );
    }

    #[test]
    fn a_scheduler_that_says_too_little_is_told_what_is_missing() {
        assert_eq!(scheduled(&[]), Err(ShardError::NoScheduler));
        let missing = scheduled(&[("JOB_COMPLETION_INDEX", "0")]).unwrap_err();
        assert_eq!(missing.to_string(), "the scheduler's variable JOB_COMPLETIONS is not set");
        let missing = scheduled(&[("SLURM_ARRAY_TASK_ID", "1")]).unwrap_err();
        assert_eq!(
            missing.to_string(),
            "the scheduler's variable SLURM_ARRAY_TASK_COUNT is not set"
        );
        let outside = [("JOB_COMPLETION_INDEX", "4"), ("JOB_COMPLETIONS", "4")];
        assert!(matches!(
            scheduled(&outside),
            Err(ShardError::Outside(Shard { index: 5, count: 4 }))
        ));
        let below = [
            ("SLURM_ARRAY_TASK_ID", "0"),
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_COUNT", "2"),
        ];
        assert!(matches!(scheduled(&below), Err(ShardError::Outside(_))));
    }
}
