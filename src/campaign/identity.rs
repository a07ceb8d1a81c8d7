//! What makes two documents parts of one campaign.

use super::document::Document;

/// Two documents are of different campaigns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {member} differs: `{one}` and `{other}`")]
pub struct Differs {
    /// Of what.
    pub member: &'static str,
    /// In the first document.
    pub one: String,
    /// In the second document.
    pub other: String,
}

impl Document {
    /// Whether this document and another are of one campaign: by one tool on one backend, under one
    /// profile, with the same strategy on the same operator and type. Their parts of the inputs may
    /// differ.
    ///
    /// # Errors
    ///
    /// What differs first.
    pub fn same_campaign(&self, other: &Self) -> Result<(), Differs> {
        let members = |document: &Self| {
            let Self { tool, backend, parameters, .. } = document;
            let dirty = if tool.dirty == Some(true) { ", with changes" } else { "" };
            let parameters = parameters.iter().map(|(name, value)| format!("--{name} {value}"));
            [
                ("tool", format!("{} {} ({}{dirty})", tool.name, tool.version, tool.commit)),
                ("backend", format!("{} {}", backend.name, backend.version)),
                ("backend's own description", format!("{:?}", backend.details)),
                ("profile", document.profile.clone()),
                ("operator", document.operator.clone()),
                ("type", document.type_name.clone()),
                ("strategy", document.strategy.clone()),
                ("strategy's parameters", parameters.collect::<Vec<_>>().join(" ")),
                ("number of inputs", document.inputs.to_string()),
            ]
        };
        differing(members(self), members(other))
    }

    /// Whether this document and another are of the same part of one campaign.
    ///
    /// # Errors
    ///
    /// What differs first.
    pub fn same_part(&self, other: &Self) -> Result<(), Differs> {
        self.same_campaign(other)?;
        let members = |document: &Self| {
            let range = format!("{}..{}", document.range.first, document.range.end);
            let shard = document.shard.map(|shard| format!("{}/{}", shard.index, shard.count));
            [("range", range), ("shard", shard.unwrap_or_else(|| "none".to_owned()))]
        };
        differing(members(self), members(other))
    }
}

/// The first member that differs.
fn differing<const N: usize>(
    ones: [(&'static str, String); N],
    others: [(&'static str, String); N],
) -> Result<(), Differs> {
    let mut pairs = ones.into_iter().zip(others);
    match pairs.find(|((_, one), (_, other))| one != other) {
        Some(((member, one), (_, other))) => Err(Differs { member, one, other }),
        None => Ok(()),
    }
}
