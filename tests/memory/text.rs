//! Texts that people write, OpenVINO's models, and lines of adapters.

use std::path::Path;

use onnx_conformance::backend::catalogue;
use onnx_conformance::backend::protocol::{Greeting, LINE_LIMIT, Reply};
use onnx_conformance::corpus::Lock;
use onnx_conformance::corpus::case::Manifest;
use onnx_conformance::judge::expect::Expectations;
use onnx_conformance::judge::profile::{Profile, Tolerance};
use onnx_conformance::judge::requirements;
use onnx_conformance::limits::TOML_LIMIT;
use onnx_conformance::openvino::{MAX_BYTES, Model};

use crate::{Came, Found, alone, filled, measure, sizes};

const LIMIT: usize = TOML_LIMIT as usize;

#[test]
fn no_toml_text_takes_more() {
    let _alone = alone();
    let shapes = [
        ("a=[", "[],", "]"),
        ("a=[", "{},", "]"),
        ("a=[", "1,", "]"),
        ("a=[", "'',", "]"),
        ("a=[", "{a=1},", "]"),
        ("a=[", "{a.b.c=1},", "]"),
        ("", "[[a]]\n", ""),
        ("", "[@]\n", ""),
        ("", "@=0\n", ""),
        ("", "'@'={}\n", ""),
        ("", "a@.b.c.d=0\n", ""),
        ("", "#\n", ""),
        ("", "\n", ""),
        ("", "[", ""),
        ("a=", "[", ""),
        ("a", ".a", "=1"),
        ("a='", "x", "'"),
        ("a=\"", "\\n", "\""),
        ("a='''", "'' ", "'''"),
        ("", "[[known]]\ncases='a/*'\nverdict='fail'\nreason='x'\n", ""),
        ("", "[[known]]\ncases='a/*******************'\nverdict='fail'\nreason='x'\n", ""),
        ("", "[b@]\ntitle=''\ncommand=['']\nsetup={cc=[]}\n", ""),
        ("[b]\ntitle=''\nsetup={cc=[]}\ncommand=[", "'',", "]"),
        (
            "key='k'\ntitle='t'\nsource='s'\n",
            "[[requirement]]\nid='GR@'\nsection='s'\naliases=[]\nkind='value'\nprovisional=false\nstatement='s'\n",
            "",
        ),
        (
            "key='k'\ntitle='t'\nsource='s'\n[[requirement]]\nid='GR1'\nsection='s'\nkind='value'\n\
             provisional=false\nstatement='s'\naliases=[",
            "'@',",
            "]",
        ),
        (
            "name='n'\ntitle='t'\nfallback={rule='close',source='s'}\n",
            "[[decision]]\noperator='Div'\ntypes=[]\nrule='close'\nsource='s'\n",
            "",
        ),
        (
            "[cases]\n",
            "a@='0000000000000000000000000000000000000000000000000000000000000000'\n",
            "",
        ),
    ];
    let mut found = Found::default();
    for (start, unit, end) in shapes {
        for size in [LIMIT / 32, LIMIT / 8, LIMIT, LIMIT + 64] {
            let text = filled(start, unit, end, size);
            let text = String::from_utf8(text).unwrap();
            let name = format!("{start}{unit}{end}");
            let path = Path::new("x.toml");
            measure(&mut found, &name, text.clone().into(), |text| {
                let text = String::from_utf8(text).unwrap();
                Came::of(requirements::Catalogue::from_files(&[("k.toml", &text)]))
            });
            let parse = |text: &str| Profile::parse("x.toml", text);
            measure(&mut found, &name, text.clone().into(), |bytes| {
                Came::of(parse(&String::from_utf8(bytes).unwrap()))
            });
            measure(&mut found, &name, text.clone().into(), |bytes| {
                let text = String::from_utf8(bytes).unwrap();
                Came::of(Expectations::parse("x.toml", &text).map_err(|error| {
                    std::error::Error::source(&error).map_or(error.to_string(), ToString::to_string)
                }))
            });
            measure(&mut found, &name, text.clone().into(), |bytes| {
                Came::of(catalogue::Catalogue::parse(path, &String::from_utf8(bytes).unwrap()))
            });
            measure(&mut found, &name, text.into(), |bytes| {
                Came::of(Lock::parse(path, "x", &String::from_utf8(bytes).unwrap()))
            });
        }
    }
    assert!(found.within > 100 && found.refused > 100, "{} {}", found.within, found.refused);
    found.assert_close("TOML", 40);
}

#[test]
fn no_openvino_model_takes_more() {
    let _alone = alone();
    let shapes = [
        ("", "<a>", ""),
        ("<a>", "<b/>", "</a>"),
        ("<a>", "<b/>x", "</a>"),
        ("<a>", "<b>x</b>", "</a>"),
        ("<a>", "<!---->", "</a>"),
        ("<a>", "<?a?>", "</a>"),
        ("<a>", "<b c=''/>", "</a>"),
        ("<a>", "<b c='' d='' e='' f='' g='' h='' i='' j=''/>", "</a>"),
        ("<a>", "<b c='&lt;'/>", "</a>"),
        ("<a>", "&lt;", "</a>"),
        ("<a>", "&lt;<b/>", "</a>"),
        ("<a b='", "&lt;", "'/>"),
        ("<", "a", "/>"),
        ("<net><layers>", "<layer id='@' type='' version=''/>", "</layers><edges/></net>"),
        (
            "<net><layers>",
            "<layer id='@' type='' version=''><data a=''/></layer>",
            "</layers><edges/></net>",
        ),
        (
            "<net><layers>",
            "<layer id='@' type='' version=''><data a=''/><output><port id=''/></output></layer>",
            "</layers><edges/></net>",
        ),
        (
            "<net><layers>",
            "<layer id='@' type='Result'><input><port id=''/></input></layer>",
            "</layers><edges/></net>",
        ),
        (
            "<net><layers>",
            "<layer id='@' type='Parameter'><data element_type='' shape='1,1,1,1,1,1,1,1,1,1,1'/>\
             <output><port id=''/></output></layer>",
            "</layers><edges/></net>",
        ),
        (
            "<net><layers><layer id='' type='Parameter'><data element_type='' shape='",
            "1,",
            "'/></layer></layers></net>",
        ),
        (
            "<net><layers><layer id='' type='' version=''><input>",
            "<port id='@'/>",
            "</input></layer></layers><edges/></net>",
        ),
        (
            "<net><layers><layer id='' type='' version=''><output>",
            "<port id='@'/>",
            "</output></layer></layers><edges/></net>",
        ),
    ];
    let mut found = Found::default();
    for (start, unit, end) in shapes {
        for size in [1 << 16, MAX_BYTES / 32, MAX_BYTES / 8, MAX_BYTES, MAX_BYTES + 100] {
            let text = filled(start, unit, end, size);
            let name = format!("{start}{unit}{end}");
            measure(&mut found, &name, text, |text| Came::of(Model::read("model.xml", &text)));
        }
    }
    assert!(found.within > 20 && found.refused > 10, "{} {}", found.within, found.refused);
    found.assert_close("OpenVINO's models", 40);
}

#[test]
fn no_line_and_no_file_of_a_case_takes_more() {
    let _alone = alone();
    let manifest = r#"","expect":"values","note":"","requirements":["#;
    let shapes = [
        ("{\"class\":\"", "x", &*format!("{manifest}]}}")),
        (&*format!("{{\"class\":\"{manifest}"), "\"\",", "]}"),
        ("{\"rtol\":1,", "\"a@\":0,", "}"),
        ("{\"rtol\":1,\"a\":[", "0,", "]}"),
        ("{\"rtol\":1,\"a\":[", "{\"\":{}},", "]}"),
        ("{\"rtol\":1,\"a\":", "[", ""),
        ("{\"backend\":{\"name\":\"\",\"version\":\"\",\"details\":{", "\"@\":\"\",", "}}}"),
        ("{\"id\":1,\"ok\":[", "0,", "]}"),
        ("{\"id\":1,\"ok\":{", "\"@\":0,", "}}"),
        ("{\"id\":1,\"ok\":[", "[],", "]}"),
        ("{\"id\":1,\"ok\":[", "{},", "]}"),
        ("{\"id\":1,\"ok\":\"", "\\n", "\"}"),
    ];
    let mut found = Found { is_json: true, ..Found::default() };
    for (start, unit, end) in shapes {
        let name = format!("{start}{unit}{end}");
        for size in sizes().take_while(|&size| size <= 2 << 20) {
            let text = filled(start, unit, end, size);
            measure(&mut found, &name, text.clone(), |text| Came::of(Manifest::from_json(&text)));
            measure(&mut found, &name, text, |text| Came::of(Tolerance::from_data_json(&text)));
        }
        let line = filled(start, unit, end, LINE_LIMIT);
        measure(&mut found, &name, line.clone(), |line| Came::of(Greeting::read(&line)));
        measure(&mut found, &name, line, |line| Came::of(Reply::read(&line)));
    }
    assert!(found.within > 60 && found.refused > 10, "{} {}", found.within, found.refused);
}
