//! Messages from and to the JSON mapping of protobuf.

use std::sync::LazyLock;

use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};

use crate::errors::{Error, Result};

static DESCRIPTORS: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let descriptors = &include_bytes!("gen/tablestate.v1.binpb")[..];
    DescriptorPool::decode(descriptors).expect("the generator has checked the contract")
});

/// What the contract says of its messages and services.
pub fn descriptors() -> &'static DescriptorPool {
    &DESCRIPTORS
}

/// A message as JSON, in one line.
pub fn to_string<M: Message + Name>(message: &M) -> String {
    let known = DynamicMessage::decode(descriptor::<M>(), &*message.encode_to_vec());
    let known = known.expect("it is a message of the contract");
    serde_json::to_string(&known).expect("a message has a mapping")
}

/// The message that JSON tells of; an argument error if it tells of none of this kind.
pub fn from_str<M: Message + Name + Default>(json: &str) -> Result<M> {
    let expected = |problem| Error::argument("json", &format!("a {}: {problem}", M::NAME));
    let mut reader = serde_json::Deserializer::from_str(json);
    let known = DynamicMessage::deserialize(descriptor::<M>(), &mut reader).map_err(expected)?;
    reader.end().map_err(expected)?;
    known.transcode_to().map_err(|problem| Error::argument("json", &problem.to_string()))
}

fn descriptor<M: Name>() -> MessageDescriptor {
    let found = DESCRIPTORS.get_message_by_name(&M::full_name());
    found.expect("it is a message of the contract")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::*;

    #[test]
    fn a_message_goes_to_json_and_back() {
        let create_time = Some(prost_types::Timestamp { seconds: 1_700_000_000, nanos: 5_000_000 });
        let waiting_limit = Some(prost_types::Duration { seconds: 90, nanos: 0 });
        let told = Match {
            match_id: "m".into(),
            version: 7,
            phase: MatchPhase::Running.into(),
            actors: vec![0],
            commitment: vec![255],
            metadata: [("key".into(), "value".into())].into(),
            create_time,
            waiting_limit,
            ..Default::default()
        };
        let json = to_string(&told);
        for part in [
            r#""matchId":"m""#,
            r#""version":"7""#,
            r#""phase":"MATCH_PHASE_RUNNING""#,
            r#""commitment":"/w==""#,
            r#""createTime":"2023-11-14T22:13:20.005Z""#,
            r#""waitingLimit":"90s""#,
        ] {
            assert!(json.contains(part), "{json}");
        }
        assert_eq!(from_str::<Match>(&json).unwrap(), told);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for json in ["", "[]", r#"{"noSuchField":1}"#, "{} {}"] {
            let refused = from_str::<Match>(json).unwrap_err();
            assert_eq!(refused.violations()[0].field, "json", "{json}");
        }
    }
}
