//! Reports: numbers become a picture, which is kept as a blob and returned as an image.

mod chart;

use mcpfn_sdk::{Argument, Content, blob_input, blob_output, mcp_tool};

/// One number with its name.
#[derive(Argument)]
struct Row {
    /// What the number is of.
    label: String,
    /// The number.
    #[arg(min = 0)]
    value: f64,
}

/// Draws a bar chart of numbers and keeps it as a report.
#[mcp_tool]
#[blob_output(path = "reports/{mcptoolargs.name}.png", content_type = "image/png")]
fn draw_report(
    /// The name of the report.
    name: String,
    /// The bars, from left to right.
    #[arg(min_items = 1, max_items = 20)]
    rows: Vec<Row>,
) -> Result<Content, png::EncodingError> {
    let bars: Vec<_> = rows.iter().map(|row| (row.label.as_str(), row.value)).collect();
    Ok(Content::image(chart::png(&bars)?, "image/png"))
}

/// Gets a report that was drawn before.
#[mcp_tool(read_only = true)]
fn get_report(
    /// The name of the report.
    name: String,
    #[blob_input(path = "reports/{mcptoolargs.name}.png")] report: Option<Vec<u8>>,
) -> Result<Content, String> {
    let png = report.ok_or_else(|| format!("There is no report `{name}`."))?;
    Ok(Content::image(png, "image/png"))
}

mcpfn_sdk::functions![draw_report, get_report];

#[cfg(test)]
mod tests {
    use mcpfn_sdk::{
        testing::Call,
        wit::{Block, Outcome, Value},
    };

    use super::{draw_report, get_report};

    fn image(outcome: Outcome) -> Vec<u8> {
        let Outcome::Reply(reply) = outcome else { panic!("it is content") };
        match reply.content.into_iter().next().unwrap().block {
            Block::Image(media) if media.mime_type == "image/png" => media.data,
            other => panic!("no image: {other:?}"),
        }
    }

    #[test]
    fn a_report_comes_back_as_it_was_drawn() {
        let rows = r#"[{ "label": "Mon", "value": 3 }, { "label": "Tue", "value": 12.5 }]"#;
        let call = Call::new(&format!(r#"{{ "name": "week", "rows": {rows} }}"#));
        let drawn = image(call.run::<draw_report>().unwrap().outcome);
        let call = Call::new(r#"{ "name": "week" }"#).input("report", Value::Bytes(drawn.clone()));
        assert_eq!(image(call.run::<get_report>().unwrap().outcome), drawn);
        let failure = Call::new(r#"{ "name": "year" }"#).run::<get_report>().unwrap_err();
        assert_eq!(failure.message, "There is no report `year`.");
    }
}
