//! Pictures: their kind and size, from the header alone. No pixel is decoded.

use serde::{Deserialize, Serialize};

use super::fault::Fault;

/// What the header of a picture says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Picture {
    /// The MIME type, such as `image/png`.
    pub mime_type: String,
    /// The width in pixels as stored.
    pub width: u32,
    /// The height in pixels as stored.
    pub height: u32,
    /// How the picture must be turned to stand upright, from 1 to 8 as in EXIF; `None` where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<u8>,
}

pub(crate) fn read(bytes: &[u8]) -> Result<Picture, Fault> {
    let found = match bytes {
        [0x89, b'P', b'N', b'G', ..] => png(bytes),
        [b'G', b'I', b'F', ..] => gif(bytes),
        [0xff, 0xd8, ..] => jpeg(bytes),
        [b'R', b'I', b'F', b'F', ..] => webp(bytes),
        [b'B', b'M', ..] => bmp(bytes),
        _ => tiff(bytes)
            .map(|(width, height, orientation)| picture("image/tiff", width, height, orientation)),
    };
    found
        .filter(|picture| picture.width > 0 && picture.height > 0)
        .ok_or_else(|| Fault::malformed("the header of the picture is damaged"))
}

fn picture(mime_type: &str, width: u32, height: u32, orientation: Option<u8>) -> Picture {
    Picture {
        mime_type: mime_type.to_owned(),
        width,
        height,
        orientation,
    }
}

fn png(bytes: &[u8]) -> Option<Picture> {
    if bytes.get(12..16)? != b"IHDR" {
        return None;
    }
    let (width, height) = (big_32(bytes, 16)?, big_32(bytes, 20)?);
    Some(picture("image/png", width, height, exif_of_png(bytes)))
}

fn exif_of_png(bytes: &[u8]) -> Option<u8> {
    let mut place = 8_usize;
    loop {
        let length = usize::try_from(big_32(bytes, place)?).ok()?;
        let kind = bytes.get(place.checked_add(4)?..place.checked_add(8)?)?;
        let data = place.checked_add(8)?;
        if kind == b"eXIf" {
            return tiff(bytes.get(data..data.checked_add(length)?)?)?.2;
        }
        place = data.checked_add(length)?.checked_add(4)?;
    }
}

fn gif(bytes: &[u8]) -> Option<Picture> {
    Some(picture(
        "image/gif",
        u32::from(little_16(bytes, 6)?),
        u32::from(little_16(bytes, 8)?),
        None,
    ))
}

fn bmp(bytes: &[u8]) -> Option<Picture> {
    let (width, height) = if little_32(bytes, 14)? == 12 {
        (
            u32::from(little_16(bytes, 18)?),
            u32::from(little_16(bytes, 20)?),
        )
    } else {
        // A negative height says that the rows run from the top.
        let height = little_32(bytes, 22)?.cast_signed().unsigned_abs();
        (little_32(bytes, 18)?, height)
    };
    Some(picture("image/bmp", width, height, None))
}

fn jpeg(bytes: &[u8]) -> Option<Picture> {
    let (mut place, mut orientation) = (2, None);
    loop {
        let mut marker = *bytes.get(place + 1)?;
        if *bytes.get(place)? != 0xff {
            return None;
        }
        while marker == 0xff {
            place += 1;
            marker = *bytes.get(place + 1)?;
        }
        let length = usize::from(big_16(bytes, place + 2)?);
        let data = bytes.get(place + 4..place + 2 + length.max(2))?;
        match marker {
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                let (height, width) = (big_16(data, 1)?, big_16(data, 3)?);
                return Some(picture(
                    "image/jpeg",
                    u32::from(width),
                    u32::from(height),
                    orientation,
                ));
            }
            0xe1 if data.starts_with(b"Exif\0\0") => {
                orientation = data.get(6..).and_then(tiff).and_then(|found| found.2);
            }
            _ => {}
        }
        place += 2 + length.max(2);
    }
}

fn webp(bytes: &[u8]) -> Option<Picture> {
    let (width, height) = match bytes.get(12..16)? {
        b"VP8X" => (little_24(bytes, 24)? + 1, little_24(bytes, 27)? + 1),
        b"VP8L" => {
            let packed = little_32(bytes, 21)?;
            ((packed & 0x3fff) + 1, ((packed >> 14) & 0x3fff) + 1)
        }
        b"VP8 " => (
            u32::from(little_16(bytes, 26)? & 0x3fff),
            u32::from(little_16(bytes, 28)? & 0x3fff),
        ),
        _ => return None,
    };
    Some(picture("image/webp", width, height, None))
}

/// Width, height and orientation of the first directory. EXIF is such a file inside of another.
fn tiff(bytes: &[u8]) -> Option<(u32, u32, Option<u8>)> {
    let big = match bytes.get(..4)? {
        b"II*\0" => false,
        b"MM\0*" => true,
        _ => return None,
    };
    let short = |place| {
        if big {
            big_16(bytes, place)
        } else {
            little_16(bytes, place)
        }
    };
    let long = |place| {
        if big {
            big_32(bytes, place)
        } else {
            little_32(bytes, place)
        }
    };
    let directory = usize::try_from(long(4)?).ok()?;
    let (mut width, mut height, mut orientation) = (0, 0, None);
    for number in 0..usize::from(short(directory)?) {
        let entry = directory.checked_add(2 + number * 12)?;
        let value = match short(entry + 2) {
            Some(3) => u32::from(short(entry + 8)?),
            Some(4) => long(entry + 8)?,
            Some(_) => continue,
            None => break,
        };
        match short(entry)? {
            0x100 => width = value,
            0x101 => height = value,
            0x112 => {
                orientation = u8::try_from(value)
                    .ok()
                    .filter(|turn| (1..=8).contains(turn));
            }
            _ => {}
        }
    }
    Some((width, height, orientation))
}

fn array<const N: usize>(bytes: &[u8], place: usize) -> Option<[u8; N]> {
    bytes.get(place..place.checked_add(N)?)?.try_into().ok()
}

fn big_16(bytes: &[u8], place: usize) -> Option<u16> {
    array(bytes, place).map(u16::from_be_bytes)
}

fn big_32(bytes: &[u8], place: usize) -> Option<u32> {
    array(bytes, place).map(u32::from_be_bytes)
}

fn little_16(bytes: &[u8], place: usize) -> Option<u16> {
    array(bytes, place).map(u16::from_le_bytes)
}

fn little_24(bytes: &[u8], place: usize) -> Option<u32> {
    array(bytes, place).map(|[low, middle, high]| u32::from_le_bytes([low, middle, high, 0]))
}

fn little_32(bytes: &[u8], place: usize) -> Option<u32> {
    array(bytes, place).map(u32::from_le_bytes)
}
