//! A bar chart as a PNG.

mod letters;

const WIDTH: usize = 640;
const HEIGHT: usize = 320;
/// Room for the labels below, and for the numbers above.
const MARGIN: usize = 28;
const SCALE: usize = 2;

const PAPER: u8 = 0;
const INK: u8 = 1;
const BAR: u8 = 2;
const PALETTE: [u8; 9] = [0xff, 0xff, 0xff, 0x22, 0x22, 0x22, 0x2f, 0x6f, 0xb3];

/// One color per pixel, as an index of the palette.
struct Canvas(Vec<u8>);

/// Draws bars with their names and numbers; numbers are 0 or more.
pub(crate) fn png(bars: &[(&str, f64)]) -> Result<Vec<u8>, png::EncodingError> {
    let canvas = draw(bars);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels(WIDTH), pixels(HEIGHT));
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(PALETTE.as_slice());
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.0)?;
    writer.finish()?;
    Ok(bytes)
}

fn draw(bars: &[(&str, f64)]) -> Canvas {
    let mut canvas = Canvas(vec![PAPER; WIDTH * HEIGHT]);
    let (floor, slot) = (HEIGHT - MARGIN, WIDTH / bars.len().max(1));
    let most = bars.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    for (idx, (label, value)) in bars.iter().enumerate() {
        let (left, height) = (idx * slot, height(*value, most));
        canvas.fill(left + slot / 8, floor - height, slot - slot / 4, height, BAR);
        canvas.write(left, slot, floor - height - letters::HEIGHT * SCALE - 4, &number(*value));
        canvas.write(left, slot, floor + 8, label);
    }
    canvas.fill(0, floor, WIDTH, 2, INK);
    canvas
}

/// The height of a bar in pixels, where the greatest number is as high as there is room.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "it is between 0 and the height of the picture"
)]
fn height(value: f64, most: f64) -> usize {
    let share = if most > 0.0 { (value / most).clamp(0.0, 1.0) } else { 0.0 };
    (share * (HEIGHT - 2 * MARGIN) as f64).round() as usize
}

/// Short: a bar is not wide.
fn number(value: f64) -> String {
    let rounded = format!("{value:.1}");
    let short = rounded.strip_suffix(".0").unwrap_or(&rounded);
    if short.len() <= 7 { short.to_owned() } else { format!("{value:.1e}") }
}

fn pixels(n: usize) -> u32 {
    u32::try_from(n).expect("a picture is not that large")
}

impl Canvas {
    fn fill(&mut self, left: usize, top: usize, width: usize, height: usize, color: u8) {
        for y in top..(top + height).min(HEIGHT) {
            self.0[y * WIDTH..][left.min(WIDTH)..(left + width).min(WIDTH)].fill(color);
        }
    }

    /// Writes a text in the middle of a slot, as much of it as there is room for.
    fn write(&mut self, left: usize, slot: usize, top: usize, text: &str) {
        let width = (letters::WIDTH + 1) * SCALE;
        let text: Vec<char> = text.chars().take(slot / width).collect();
        let start = left + (slot - text.len() * width) / 2;
        for (idx, letter) in text.into_iter().enumerate() {
            for (x, y) in letters::dots(letter) {
                let x = start + idx * width + x * SCALE;
                self.fill(x, top + y * SCALE, SCALE, SCALE, INK);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(canvas: &Canvas, x: usize, color: u8) -> usize {
        (0..HEIGHT).filter(|y| canvas.0[y * WIDTH + x] == color).count()
    }

    #[test]
    fn bars_are_as_high_as_their_numbers() {
        let canvas = draw(&[("a", 10.0), ("b", 5.0), ("c", 0.0)]);
        let heights = [WIDTH / 6, WIDTH / 2, 5 * WIDTH / 6].map(|x| column(&canvas, x, BAR));
        assert_eq!(heights, [HEIGHT - 2 * MARGIN, HEIGHT / 2 - MARGIN, 0]);
    }

    #[test]
    fn nothing_is_drawn_outside_whatever_the_numbers() {
        let long = "a label that is longer than its bar is wide";
        for value in [0.0, f64::MIN_POSITIVE, 1.0, f64::MAX] {
            assert_eq!(draw(&[(long, value); 20]).0.len(), WIDTH * HEIGHT);
        }
        assert_eq!(draw(&[]).0.len(), WIDTH * HEIGHT);
    }

    #[test]
    fn the_picture_is_a_png_of_that_size() {
        let bytes = png(&[("a", 1.0)]).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (640, 320));
    }

    #[test]
    fn numbers_are_short() {
        let written = [0.0, 12.0, 12.34, 99_999.5, 1e20].map(number);
        assert_eq!(written, ["0", "12", "12.3", "99999.5", "1.0e20"]);
    }
}
