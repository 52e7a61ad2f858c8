//! Pictures.

use serde_json::json;

use crate::{error_of, read, text_of};

fn png(width: u32, height: u32) -> Vec<u8> {
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".as_slice(),
        &width.to_be_bytes(),
        &height.to_be_bytes(),
        b"\x08\x06\0\0\0\0\0\0\0\0\0\0\0IEND\0\0\0\0",
    ]
    .concat()
}

/// A JPEG header with EXIF that says how it is turned.
fn jpeg(width: u16, height: u16, turn: u8) -> Vec<u8> {
    let exif = [
        b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".as_slice(),
        &[turn, 0, 0, 0, 0, 0, 0],
    ]
    .concat();
    let length = u16::try_from(exif.len() + 2).unwrap();
    [
        b"\xff\xd8\xff\xe1".as_slice(),
        &length.to_be_bytes(),
        &exif,
        b"\xff\xc0\x00\x0b\x08",
        &height.to_be_bytes(),
        &width.to_be_bytes(),
        b"\x01\x01\x11\x00\xff\xd9",
    ]
    .concat()
}

#[tokio::test]
async fn a_picture_is_described_and_given_to_look_at() {
    let gif = b"GIF89a\x0a\0\x14\0\x80\0\0\0\0\0\xff\xff\xff;".to_vec();
    let bmp = [
        b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x0a\0\0\0".as_slice(),
        &(-20_i32).to_le_bytes(),
        &[0; 28],
    ]
    .concat();
    let webp = [
        b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".as_slice(),
        &[9, 0, 0, 19, 0, 0],
    ]
    .concat();
    let tiff = b"II*\0\x08\0\0\0\x02\0\0\x01\x03\0\x01\0\0\0\x0a\0\0\0\x01\x01\x04\0\x01\0\0\0\x14\0\0\0\0\0\0\0".to_vec();
    for (name, file, kind, turned) in [
        ("a.png", png(10, 20), "image/png", ""),
        (
            "a.jpg",
            jpeg(10, 20, 6),
            "image/jpeg",
            ", to be turned (EXIF orientation 6)",
        ),
        ("a.gif", gif, "image/gif", ""),
        ("a.bmp", bmp, "image/bmp", ""),
        ("a.webp", webp, "image/webp", ""),
        ("a.tif", tiff, "image/tiff", ""),
    ] {
        let outcome = read(name, &file, json!({})).await;
        let size = file.len();
        assert_eq!(
            text_of(&outcome),
            format!("[a picture, {kind}, 10 × 20 pixels, {size} bytes{turned}]")
        );
        let files: Vec<_> = outcome.files().collect();
        assert_eq!(
            (files[0].mime_type.as_str(), files[0].content.as_ref()),
            (kind, file.as_slice())
        );
    }
}

#[tokio::test]
async fn a_broken_header_is_an_error_that_says_what_the_file_is() {
    for (whole, kind) in [(png(10, 20), "image/png"), (jpeg(10, 20, 1), "image/jpeg")] {
        let outcome = read("a.jpg", whole.get(..18).unwrap(), json!({})).await;
        assert!(error_of(&outcome).contains(kind), "{}", outcome.text());
    }
}

#[tokio::test]
async fn any_file_is_given_itself_when_asked() {
    let outcome = read("a.bin", &[0, 1, 2, 255], json!({ "as_file": true })).await;
    assert_eq!(
        text_of(&outcome),
        "[the file, 4 bytes of type application/octet-stream]"
    );
    assert_eq!(
        outcome.files().next().unwrap().content.as_ref(),
        [0, 1, 2, 255]
    );
}
