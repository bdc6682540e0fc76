//! Paths in our own JSON: text where they are UTF-8, as nearly all are; else their bytes in
//! hexadecimal, since a path that was changed on its way through a file would name another one.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Shape {
    Text(String),
    Bytes { hex: String },
}

pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    let shape = match path.to_str() {
        Some(text) => Shape::Text(text.to_string()),
        None => Shape::Bytes {
            hex: super::hex(path.as_os_str().as_bytes()),
        },
    };
    shape.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    match Shape::deserialize(from)? {
        Shape::Text(text) => Ok(text.into()),
        Shape::Bytes { hex } => match unhex(&hex) {
            Some(bytes) => Ok(OsString::from_vec(bytes).into()),
            None => Err(D::Error::custom("the bytes of a path are no hexadecimal")),
        },
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok())
        .collect()
}

/// The same for a path that may be none.
pub(super) mod optional {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    struct Wrapped(#[serde(with = "super")] PathBuf);

    // serde hands the field by reference.
    #[allow(clippy::ref_option)]
    pub(in crate::store) fn serialize<S: Serializer>(
        path: &Option<PathBuf>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match path {
            Some(path) => super::serialize(path, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(in crate::store) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        let wrapped = Option::<Wrapped>::deserialize(from)?;
        Ok(wrapped.map(|Wrapped(path)| path))
    }
}

/// The same for several.
pub(super) mod many {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Wrapped(#[serde(with = "super")] PathBuf);

    // serde hands the field by reference.
    #[allow(clippy::ptr_arg)]
    pub(in crate::store) fn serialize<S: Serializer>(
        paths: &Vec<PathBuf>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().cloned().map(Wrapped))
    }

    pub(in crate::store) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<PathBuf>, D::Error> {
        let wrapped = Vec::<Wrapped>::deserialize(from)?;
        Ok(wrapped.into_iter().map(|Wrapped(path)| path).collect())
    }
}
