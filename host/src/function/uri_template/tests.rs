//! What templates may say, and which URIs fit them.

use super::UriTemplate;

fn template(text: &str) -> UriTemplate {
    UriTemplate::parse(text.to_owned()).unwrap()
}

#[track_caller]
fn check(text: &str, uri: &str, expected: Option<&[(&str, &str)]>) {
    let template = template(text);
    let values = template.values(uri);
    let values: Option<Vec<(&str, &str)>> = values
        .as_ref()
        .map(|values| values.iter().map(|(name, value)| (*name, value.as_str())).collect());
    assert_eq!(values.as_deref(), expected, "{text} {uri}");
}

#[track_caller]
fn check_fault(text: &str, expected: &str) {
    let error = UriTemplate::parse(text.to_owned()).unwrap_err();
    assert_eq!(error, format!("resource URI `{text}` {expected}"));
}

#[test]
fn a_variable_is_one_segment() {
    check("a://{x}/b", "a://1/b", Some(&[("x", "1")]));
    check("a://{x}", "a://1", Some(&[("x", "1")]));
    for uri in ["a://1/2/b", "a:///b", "a://1/c", "a://1/b/", "b://1/b", "a://1?/b", "a://1#/b", ""]
    {
        check("a://{x}/b", uri, None);
    }
    check("a://{x}/{y}.json", "a://1/2.3.json", Some(&[("x", "1"), ("y", "2.3")]));
}

#[test]
fn a_path_takes_slashes_and_no_query() {
    check("a://{+p}", "a://b/c/d", Some(&[("p", "b/c/d")]));
    check("a://{+p}/end", "a://b/end/end", Some(&[("p", "b/end")]));
    check("a://{+p}", "a://b?c", None);
    check("a://{+p}", "a://", None);
}

#[test]
fn every_way_to_read_a_uri_is_found() {
    check("a:{+x}-{y}", "a:p-q/r-s", Some(&[("x", "p-q/r"), ("y", "s")]));
    check("a:{x}-{+y}", "a:p-q/r-s", Some(&[("x", "p"), ("y", "q/r-s")]));
    check("a:{x}.{y}", "a:b.tar.gz", Some(&[("x", "b.tar"), ("y", "gz")]));
}

#[test]
fn values_are_decoded_after_the_uri_was_taken_apart() {
    check("a:{x}/b", "a:%2e%2E%2Fc/b", Some(&[("x", "../c")]));
    check("a:{x}", "a:%C3%A9%F0%9F%A6%80", Some(&[("x", "é🦀")]));
    check("a:{x}é{y}", "a:1é2", Some(&[("x", "1"), ("y", "2")]));
    for broken in ["a:%", "a:%2", "a:%zz", "a:%ff", "a:%+1"] {
        check("a:{x}", broken, None);
    }
}

#[test]
fn a_long_uri_takes_no_long_time() {
    let text = "a:{a}x{b}x{c}x{d}x{e}x{f}x{g}x{h}y";
    check(text, &format!("a:{}", "x".repeat(7_900)), None);
    check("a:{x}", &format!("a:{}", "x".repeat(8_000)), None);
}

#[test]
fn what_is_not_known_of_rfc_6570_is_an_error_with_its_place() {
    let known = "(expected `{name}` or `{+path}`, of letters, digits and `_`)";
    for expression in
        ["", "#x", "/x", ".x", ";x", "?x", "&x", "x:3", "x*", "x,y", "+x,y", "x-y", "é", "{x"]
    {
        check_fault(
            &format!("a:é{{{expression}}}"),
            &format!("has the expression `{{{expression}}}` {known} at position 4"),
        );
    }
    check_fault("a:{x", "has a `{` without a `}` at position 3");
    check_fault("a:x}", "has a `}` without a `{` at position 4");
    check_fault("a:{x}{y}", "has two variables with nothing between them at position 6");
    check_fault("a:{x}/{x}", "has the variable `x` a second time at position 7");
}

#[test]
fn templates_that_fit_the_same_uris_have_one_shape() {
    assert_eq!(template("a:{x}/{+y}").shape(), template("a:{b}/{+c}").shape());
    assert_ne!(template("a:{x}").shape(), template("a:{+x}").shape());
    assert_eq!(template("a:{x}/b{+y}").literal_len(), 4);
}
