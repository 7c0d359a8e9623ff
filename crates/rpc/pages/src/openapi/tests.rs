//! Documents of services whose `.proto` files are in `testdata`, with rules that each test chooses.

use super::{
    document::{Credentials, Served, ServedMethod, Way, document},
    notes::Notes,
    schemas::Oneofs,
};
use polywire_formats::{
    json::{Json, Options},
    rest::{HttpRule, Rule, Template},
    schema::{MethodSchema, Pool},
};
use std::{path::Path, sync::Arc};

/// The pool of these files. A rule borrows from it.
fn pool(files: &[&str]) -> Arc<Pool> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/openapi/testdata");
    let files: Vec<_> = files.iter().map(|file| folder.join(file)).collect();
    let set = polywire_proto::read(&files, &[]).expect("it is valid").descriptor_set();
    Arc::new(Pool::from_descriptor_set(&set).expect("made of files"))
}

/// A server in a test: rules by the names of methods, in their order.
struct Server<'t> {
    pool: &'t Arc<Pool>,
    rules: Vec<(&'t str, Rule<'t>)>,
    /// Verbs of rules that have several.
    verbs: Vec<&'t str>,
    json: (Json, Json),
    credentials: Credentials,
    open_to_all: &'t str,
    service: Option<&'t str>,
    oneofs: Oneofs,
}

impl<'t> Server<'t> {
    fn new(pool: &'t Arc<Pool>) -> Self {
        Server {
            pool,
            rules: Vec::new(),
            verbs: Vec::new(),
            json: (Json::DEFAULT, Json::CANONICAL),
            credentials: Credentials::default(),
            open_to_all: "",
            service: None,
            oneofs: Oneofs::Said,
        }
    }

    fn method(&self, name: &str) -> MethodSchema<'t> {
        self.pool.methods().find(|one| one.method == name).expect("it is in the file")
    }

    fn rule(mut self, method: &'t str, rule: HttpRule) -> Self {
        let schema = self.method(method);
        self.rules.push((method, Rule::new(&rule, schema.input, schema.output).expect("a valid rule")));
        self.verbs.push(rule.verb);
        self
    }

    fn path(mut self, verb: &'t str, method: &'t str, path: &str) -> Self {
        let schema = self.method(method);
        let template = match path.contains('{') {
            true => Template::parse(path).expect("a valid path"),
            false => Template::literals(path),
        };
        let rule = Rule::of_path(template, schema.input, schema.output).expect("a valid path");
        self.rules.push((method, rule));
        self.verbs.push(verb);
        self
    }

    fn document(&self) -> String {
        let notes = Notes::of(std::slice::from_ref(self.pool));
        let method = |schema: MethodSchema<'t>| {
            let rules = self.rules.iter().zip(&self.verbs).filter(|((name, _), _)| *name == schema.method);
            let ways: Vec<_> = rules.map(|((_, rule), verb)| Way { verbs: vec![verb], rule }).collect();
            let by_name = !ways.iter().any(|way| way.rule.is_of_path());
            ServedMethod { schema, ways, by_name, open_to_all: schema.method == self.open_to_all }
        };
        let served = Served {
            title: "test".to_owned(),
            methods: self.pool.methods().map(method).collect(),
            notes: &notes,
            json: self.json,
            credentials: self.credentials,
        };
        document(&served, self.service, self.oneofs)
    }
}

/// JSON without the space between its parts.
fn compact(json: &str) -> String {
    let (mut out, mut quoted, mut escaped) = (String::new(), false, false);
    for char in json.chars() {
        if quoted || !char.is_whitespace() {
            out.push(char);
        }
        quoted ^= char == '"' && !escaped;
        escaped = char == '\\' && !escaped;
    }
    out
}

/// The value of the first member of this name.
fn member<'d>(document: &'d str, name: &str) -> &'d str {
    let name = format!("\"{name}\":");
    let at = document.find(&name).unwrap_or_else(|| panic!("no {name} in {document}")) + name.len();
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (index, byte) in document.bytes().enumerate().skip(at) {
        match byte {
            _ if quoted => {}
            b'{' | b'[' => depth += 1,
            b',' if depth == 0 => return &document[at..index],
            b'}' | b']' if depth == 0 => return &document[at..index],
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        quoted ^= byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
    }
    &document[at..]
}

#[track_caller]
fn has(document: &str, parts: &[&str]) {
    for part in parts {
        assert!(document.contains(part), "{part} is not in {document}");
    }
}

#[test]
fn a_book_is_described_byte_by_byte() {
    let pool = pool(&["library.proto"]);
    let document =
        Server::new(&pool).rule("GetBook", HttpRule::get("/v1/{name=shelves/*/books/*}")).document();
    let expected = compact(
        r##"{
        "openapi": "3.1.0",
        "info": {
          "title": "test", "version": "1.0.0",
          "description": "Made by the server from its descriptors. Paths of google.api.http: protobuf's own mapping of JSON; failures are google.rpc.Status. Other paths, among them /package.Service/Method: brpc's mapping of JSON (names as in the .proto file, 64-bit integers as numbers), whose schemas end with `-brpc`; failures are text." },
        "servers": [{"url": "/"}],
        "tags": [{"name": "Library"}],
        "paths": {
        "/v1/shelves/{name}/books/{name_1}": { "get": {
          "tags": ["Library"], "operationId": "Library_GetBook",
          "parameters": [
            {"name": "name",   "in": "path", "required": true, "schema": {"type": "string"}},
            {"name": "name_1", "in": "path", "required": true, "schema": {"type": "string"}},
            {"name": "mask",   "in": "query", "schema": {"type": "string"}} ],
          "responses": {
            "200":     {"description": "A successful response.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/library.v1.Book"}}}},
            "default": {"description": "An unexpected error response.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/google.rpc.Status"}}}} } } } },
        "components": { "schemas": {
        "google.protobuf.Any": { "type": "object",
          "description": "A message of the type that its member `@type` names, with its members beside it; a type with a form of its own is the member `value`.",
          "properties": {"@type": {"type": "string"}}, "additionalProperties": true },
        "google.rpc.Status": { "type": "object", "properties": {
          "code": {"type": "integer", "format": "int32"}, "message": {"type": "string"},
          "details": {"type": "array", "items": {"$ref": "#/components/schemas/google.protobuf.Any"}} } },
        "library.v1.Book": { "type": "object", "properties": {
          "name": {"type": "string"}, "title": {"type": "string"}, "pages": {"type": "string", "format": "int64"} } }
        } } }"##,
    );
    assert_eq!(document, expected + "\n");
}

#[test]
fn types_are_what_protobufs_mapping_writes() {
    let pool = pool(&["shop.proto"]);
    let server = Server { json: (Json::CANONICAL, Json::CANONICAL), ..Server::new(&pool) };
    let document = server.document();
    let expected = compact(
        r##"{ "type": "object", "properties": {
          "i32": {"type": "integer", "format": "int32"},
          "u32": {"type": "integer", "minimum": 0, "maximum": 4294967295},
          "u64": {"type": "string", "format": "uint64"},
          "i64": {"type": "string", "format": "int64"},
          "f": {"type": "number", "format": "float", "description": "NaN, Infinity and -Infinity are texts."},
          "d": {"type": "number", "format": "double", "description": "NaN, Infinity and -Infinity are texts."},
          "b": {"type": "boolean"},
          "data": {"type": "string", "format": "byte", "contentEncoding": "base64"},
          "byNumber": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/shop.Money"},
            "propertyNames": {"pattern": "^-?[0-9]+$"}},
          "byTruth": {"type": "object", "additionalProperties": {"type": "string"},
            "propertyNames": {"pattern": "^(true|false)$"}},
          "byName": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/shop.Types"}},
          "lasts": {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,9})?s$"},
          "wrapped": {"type": "string", "format": "int64"},
          "value": {},
          "list": {"type": "array", "items": {}},
          "nothing": {"type": "null"},
          "any": {"$ref": "#/components/schemas/google.protobuf.Any"},
          "times": {"type": "array", "items": {"type": "string", "format": "date-time"}},
          "other": {"type": "string"},
          "inner": {"$ref": "#/components/schemas/shop.Types.Inner"},
          "rates": {"type": "object", "additionalProperties": {"type": "number", "format": "double"}, "description": "NaN, Infinity and -Infinity are texts."},
          "share": {"type": "number", "format": "float", "description": "NaN, Infinity and -Infinity are texts."} } }"##,
    );
    assert_eq!(member(&document, "shop.Types"), expected);
    let currency = "{\"type\":\"string\",\"enum\":[\"CURRENCY_UNSPECIFIED\",\"EURO\",\"YEN\"],\"description\":\"Others appear as numbers.\"}";
    assert_eq!(member(&document, "shop.Currency"), currency);
    assert!(!document.contains("google.protobuf.Timestamp"), "it has no component");
}

#[test]
fn types_are_what_brpcs_mapping_writes() {
    let pool = pool(&["shop.proto"]);
    let document = Server::new(&pool).document();
    has(
        member(&document, "shop.Types"),
        &[
            "\"u64\":{\"type\":\"integer\",\"format\":\"uint64\",\"minimum\":0}",
            "\"i64\":{\"type\":\"integer\",\"format\":\"int64\"}",
            "\"by_number\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/shop.Types.ByNumberEntry\"}}",
            "\"by_name\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/components/schemas/shop.Types\"}}",
            "\"lasts\":{\"$ref\":\"#/components/schemas/google.protobuf.Duration\"}",
            "\"wrapped\":{\"$ref\":\"#/components/schemas/google.protobuf.Int64Value\"}",
            "\"renamed\":{\"type\":\"string\"}",
            "\"data\":{\"type\":\"string\",\"format\":\"byte\",\"contentEncoding\":\"base64\"}",
        ],
    );
    let seconds = "\"seconds\":{\"type\":\"integer\",\"format\":\"int64\"}";
    has(member(&document, "google.protobuf.Duration"), &[seconds]);
    let said = member(&document, "description");
    assert!(said.contains("Its paths: brpc's mapping") && !said.contains("google.api.http"), "{said}");
    has(
        &document,
        &[
            "\"default\":{\"description\":\"An unexpected error response.\",\"headers\":{\"x-bd-error-code\":",
            "\"text/plain\"",
        ],
    );
    assert!(!document.contains("google.rpc.Status\""), "no path fails in JSON");

    let options = Options::DEFAULT.enum_as_number(true).bytes_to_base64(false).single_repeated_to_array(true);
    let document =
        Server { json: (Json::brpc(options), Json::brpc(options)), ..Server::new(&pool) }.document();
    assert_eq!(
        member(&document, "shop.Currency-number"),
        "{\"type\":\"integer\",\"enum\":[0,1,2],\"description\":\"Other numbers may appear.\"}"
    );
    has(member(&document, "shop.Types"), &["\"data\":{\"type\":\"string\"}"]);
    has(
        member(&document, "/shop.Shop/Find"),
        &["{\"schema\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/shop.Order\"}}}"],
    );
}

#[test]
fn two_mappings_have_components_of_two_names() {
    let pool = pool(&["shop.proto"]);
    let server = Server::new(&pool).rule("Place", HttpRule::post("/v1/orders").body("*"));
    let document = server.document();
    has(member(&document, "/v1/orders"), &["#/components/schemas/shop.Order\""]);
    has(member(&document, "/shop.Shop/Find"), &["#/components/schemas/shop.Search-brpc\""]);
    has(member(&document, "shop.Money"), &["{\"type\":\"string\",\"format\":\"int64\"}"]);
    has(member(&document, "shop.Money-brpc"), &["{\"type\":\"integer\",\"format\":\"int64\"}"]);
    assert!(
        document.contains("\"shop.Currency\":") && !document.contains("shop.Currency-brpc"),
        "both alike"
    );
    // Failures of rules are in protobuf's mapping even where the server has brpc's for all bodies.
    let server = Server { json: (Json::DEFAULT, Json::DEFAULT), ..Server::new(&pool) };
    let document = server.rule("Any", HttpRule::post("/v1/any").body("*")).document();
    has(member(&document, "google.protobuf.Any"), &["\"@type\""]);
    has(member(&document, "google.protobuf.Any-brpc"), &["\"type_url\""]);
    has(member(&document, "/v1/any"), &["#/components/schemas/shop.Types-brpc\""]);
    // Text of a path or a query is protobuf's, whatever bodies are.
    let document = Server::new(&pool).path("GET", "Find", "/v1/find").document();
    has(
        member(&document, "/v1/find"),
        &["{\"name\":\"since\",\"in\":\"query\",\"schema\":{\"type\":\"string\",\"format\":\"date-time\"}}"],
    );
}

#[test]
fn what_descriptors_say_is_said() {
    let pool = pool(&["shop.proto"]);
    let document = Server::new(&pool).rule("Place", HttpRule::post("/v1/orders").body("*")).document();
    has(&document, &["{\"name\":\"Shop\",\"description\":\"Sells things.\"}"]);
    has(
        member(&document, "/v1/orders"),
        &[
            "\"operationId\":\"Shop_Place\",\"summary\":\"Places an order.\",\"description\":\"It is paid later.\"",
        ],
    );
    assert!(!document.contains("accounting"), "internal");
    has(member(&document, "/shop.Shop/Find"), &["\"operationId\":\"Shop_Find\",\"deprecated\":true,"]);
    has(
        member(&document, "shop.Order"),
        &[
            "\"description\":\"What is bought.\\n\\nAt most one of byCard, cash.\\n\\nAt most one of street, box.\"",
            "\"id\":{\"type\":\"string\",\"description\":\"Chosen by the server. Immutable: it is set once.\",\"readOnly\":true}",
            "\"secret\":{\"type\":\"string\",\"deprecated\":true,\"writeOnly\":true}",
            "\"[shop.gift_text]\":{\"type\":\"string\"}",
            "\"required\":[\"customer\"]",
        ],
    );
}

/// Replies lack members whose values are zero.
#[test]
fn what_notes_require_is_required_in_requests_alone() {
    let pool = pool(&["shop.proto"]);
    let schema = |schema: &str| format!("{{\"application/json\":{{\"schema\":{schema}}}}}");
    let order = "{\"$ref\":\"#/components/schemas/shop.Order\"}";
    let whole = format!("{{\"allOf\":[{order}],\"required\":[\"address\"]}}");
    let place = |rule| Server::new(&pool).rule("Place", rule).document();
    for (rule, path, request) in [
        (HttpRule::post("/v1/orders").body("*"), "/v1/orders", &*whole),
        (HttpRule::put("/v1/orders/{id}").body("part_of"), "/v1/orders/{id}", &whole),
        // A part of it, as `update_mask` says.
        (HttpRule::patch("/v1/orders/{id}").body("part_of"), "/v1/orders/{id}", order),
    ] {
        let document = place(rule);
        let operation = member(&document, path);
        assert_eq!(member(member(operation, "requestBody"), "content"), schema(request), "{path}");
        assert_eq!(member(member(operation, "200"), "content"), schema(order), "{path}");
        has(
            member(&document, "shop.Order"),
            &[
                "\"address\":{\"type\":\"string\",\"description\":\"Required in requests.\"}",
                "\"required\":[\"customer\"]",
            ],
        );
    }
    // An object that is for one request says so itself.
    let document = place(HttpRule::post("/v1/orders/{id}").body("*"));
    let body = member(member(&document, "/v1/orders/{id}"), "requestBody");
    has(body, &["\"address\":{\"type\":\"string\"}", "\"required\":[\"customer\",\"address\"]"]);
    let find = member(&document, "/shop.Shop/Find");
    has(
        find,
        &["{\"allOf\":[{\"$ref\":\"#/components/schemas/shop.Search-brpc\"}],\"required\":[\"text\"]}"],
    );
}

#[test]
fn paths_with_any_characters_are_texts_of_json() {
    let pool = pool(&["shop.proto"]);
    let document = Server::new(&pool).path("POST", "Place", "/a\"b\\c<\u{e9}:d\"").document();
    has(&document, &["\"paths\":{\"/a\\\"b\\\\c\\u003c\u{e9}:d\\\"\":{\"post\":{"]);
}

#[test]
fn oneofs_are_constraints_where_they_are_asked_for() {
    let pool = pool(&["shop.proto", "other.proto"]);
    let server =
        Server { oneofs: Oneofs::Checked, json: (Json::CANONICAL, Json::CANONICAL), ..Server::new(&pool) };
    let document = server.document();
    let expected = compact(
        r#""allOf": [
          {"oneOf": [{"not": {"anyOf": [{"required": ["byCard"]}, {"required": ["cash"]}]}}, {"required": ["byCard"]}, {"required": ["cash"]}]},
          {"oneOf": [{"not": {"anyOf": [{"required": ["street"]}, {"required": ["box"]}]}}, {"required": ["street"]}, {"required": ["box"]}]}
        ]"#,
    );
    has(member(&document, "shop.Order"), &[&expected]);
    assert!(!document.contains("At most one"));
}

#[test]
fn queries_have_fields_by_their_ways() {
    let pool = pool(&["shop.proto"]);
    let document = Server::new(&pool).rule("Find", HttpRule::get("/v1/find/{currency}")).document();
    let expected = compact(
        r##"[
          {"name": "currency", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/shop.Currency"}},
          {"name": "text", "in": "query", "required": true, "schema": {"type": "string"}},
          {"name": "tags", "in": "query", "style": "form", "explode": true, "schema": {"type": "array", "items": {"type": "string"}}},
          {"name": "least", "in": "query", "style": "deepObject", "explode": true,
            "schema": {"type": "object", "additionalProperties": {"type": "integer", "format": "int32"}}},
          {"name": "filter.genre", "in": "query", "schema": {"type": "string"}},
          {"name": "more", "in": "query", "content": {"application/json": {"schema": {"type": "object", "additionalProperties": true}}}},
          {"name": "since", "in": "query", "schema": {"type": "string", "format": "date-time"}}
        ]"##,
    );
    assert_eq!(
        member(&document, "parameters"),
        expected,
        "a type within itself, and lists of messages are left out"
    );
}

#[test]
fn bodies_are_what_rules_say() {
    let pool = pool(&["shop.proto"]);
    let server = Server::new(&pool)
        .rule("Place", HttpRule::put("/v1/{id}").body("*"))
        .rule("Place", HttpRule::patch("/v1/{part_of.id}").body("part_of").response_body("cash"))
        .rule("Find", HttpRule::post("/v1/find").body("filter").response_body("orders"));
    let document = server.document();
    let put = member(&document, "put");
    has(
        put,
        &[
            "\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\",",
        ],
    );
    has(put, &["\"operationId\":\"Shop_Place\"", "\"customer\":", "\"required\":[\"customer\",\"address\"]"]);
    assert!(!member(put, "requestBody").contains("\"id\":"), "{put}");
    assert!(!put.contains("\"in\":\"query\""), "{put}");
    let patch = member(&document, "patch");
    has(patch, &["\"operationId\":\"Shop_Place_1\"", "{\"name\":\"id\",\"in\":\"query\""]);
    has(
        patch,
        &[
            "\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/shop.Order\"}}}}",
        ],
    );
    has(
        patch,
        &[
            "\"200\":{\"description\":\"A successful response.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/shop.Money\"}}}}",
        ],
    );
    assert!(!patch.contains("\"name\":\"partOf.customer\""), "the body has it: {patch}");
    let find = member(&document, "/v1/find");
    has(
        find,
        &[
            "{\"schema\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/shop.Order\"}}}",
            "{\"name\":\"tags\"",
        ],
    );
}

#[test]
fn templates_become_paths_of_segments() {
    let pool = pool(&["shop.proto"]);
    let paths = |rules: &[(&'static str, HttpRule)]| {
        let server =
            rules.iter().fold(Server::new(&pool), |server, (method, rule)| server.rule(method, *rule));
        let document = server.document();
        let mut names: Vec<String> = Vec::new();
        for (at, _) in document.match_indices("\"/") {
            names.extend(document[at + 1..].split_once("\":{").map(|(name, _)| name.to_owned()));
        }
        names.retain(|name| name.starts_with("/v1"));
        (names, document)
    };
    let (names, document) = paths(&[
        ("Place", HttpRule::post("/v1/{id}:cancel").body("*")),
        ("Place", HttpRule::get("/v1/{part_of.id=shops/*}/x")),
        ("Place", HttpRule::get("/v1/files/{id=**}")),
        ("Place", HttpRule::get("/v1/*/{id=me}")),
        ("Place", HttpRule::new("REPORT", "/v1/report")),
        ("Place", HttpRule::new("*", "/v1/any")),
    ]);
    assert_eq!(
        names,
        ["/v1/{id}:cancel", "/v1/shops/{partOf.id}/x", "/v1/files/{id}", "/v1/{segment}/me", "/v1/any"]
    );
    has(member(&document, "/v1/files/{id}"), &["not as `%2F`", "\"operationId\":\"Shop_Place_2\""]);
    has(&document, &["\"/v1/any\":{\"get\":"]);

    // Paths that differ in names alone are one, with the names of the first.
    let (names, document) = paths(&[
        ("Place", HttpRule::get("/v1/{id}")),
        ("Find", HttpRule::delete("/v1/{text}")),
        ("Watch", HttpRule::get("/v1/{text=**}")),
    ]);
    assert_eq!(names, ["/v1/{id}"]);
    has(
        member(&document, "delete"),
        &[
            "\"operationId\":\"Shop_Find\",\"deprecated\":true,\"parameters\":[{\"name\":\"id\",\"in\":\"path\"",
        ],
    );
    has(member(&document, "/shop.Shop/Watch"), &["\"operationId\":\"Shop_Watch\""]);
    // A method that only such a verb reaches is described by its name.
    let (names, document) = paths(&[("Place", HttpRule::new("REPORT", "/v1/report"))]);
    assert!(names.is_empty() && document.contains("\"/shop.Shop/Place\":{\"post\":"));
}

#[test]
fn streams_are_described_by_their_items() {
    let pool = pool(&["shop.proto"]);
    let document = Server::new(&pool).rule("Watch", HttpRule::get("/v1/watch")).document();
    let item = "{\"schema\":{\"$ref\":\"#/components/schemas/shop.Found\"}}";
    let content = format!(
        "{{\"application/jsonl\":{item},\"application/x-ndjson\":{item},\"text/event-stream\":{item}}}"
    );
    let watch = member(&document, "/v1/watch");
    has(watch, &[&content, "\"x-stream\":true"]);
    assert!(!document.contains("Load"), "its client streams");
}

#[test]
fn credentials_are_asked_for_where_the_server_does() {
    let pool = pool(&["shop.proto"]);
    let credentials = Credentials { authenticator: true, ..Credentials::default() };
    let server = Server { credentials, open_to_all: "Find", ..Server::new(&pool) };
    let document = server.rule("Place", HttpRule::post("/v1/orders").body("*")).document();
    has(
        &document,
        &[
            "\"securitySchemes\":{\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\"}}",
            ",\"security\":[{\"bearer\":[]}]}\n",
        ],
    );
    let place = member(&document, "/v1/orders");
    has(place, &["\"401\":{", "\"403\":{"]);
    assert!(!place.contains("\"security\""));
    let find = member(&document, "/shop.Shop/Find");
    has(find, &["\"security\":[]"]);
    assert!(!find.contains("\"401\""));
    assert!(!Server::new(&pool).document().contains("\"security"));

    // A guard is asked about all of them.
    let credentials = Credentials { guard: true, ..Credentials::default() };
    let document = Server { credentials, open_to_all: "Find", ..Server::new(&pool) }.document();
    has(
        &document,
        &["\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\"}", ",\"security\":[{\"bearer\":[]}]}\n"],
    );
    let find = member(&document, "/shop.Shop/Find");
    assert!(find.contains("\"401\":{") && !find.contains("\"security\""), "{find}");

    // And a certificate belongs to the connection.
    let credentials = Credentials { certificate: true, ..Credentials::default() };
    let document = Server { credentials, ..Server::new(&pool) }.document();
    let scheme = "\"securitySchemes\":{\"certificate\":{\"type\":\"mutualTLS\"}}";
    has(&document, &[scheme, ",\"security\":[{\"certificate\":[]}]}\n"]);
    assert!(!document.contains("\"401\""));
    let credentials = Credentials { authenticator: true, certificate: true, guard: false };
    let document = Server { credentials, open_to_all: "Find", ..Server::new(&pool) }.document();
    has(&document, &[",\"security\":[{\"bearer\":[],\"certificate\":[]}]}\n"]);
    has(member(&document, "/shop.Shop/Find"), &["\"security\":[{\"certificate\":[]}]"]);
}

#[test]
fn services_of_one_short_name_have_their_full_names() {
    let pool = pool(&["library.proto", "other.proto"]);
    let server = Server::new(&pool);
    has(
        &server.document(),
        &[
            "\"tags\":[{\"name\":\"library.v1.Library\"},{\"name\":\"other.v1.Library\"}]",
            "\"operationId\":\"library.v1.Library_GetBook\"",
            "\"operationId\":\"other.v1.Library_GetBook\"",
        ],
    );
    let one = Server { service: Some("other.v1.Library"), ..server }.document();
    has(
        &one,
        &[
            "\"title\":\"other.v1.Library\"",
            "\"tags\":[{\"name\":\"other.v1.Library\"}]",
            "\"other.v1.Ask\":",
        ],
    );
    assert!(!one.contains("library.v1"), "{one}");
}

#[test]
fn the_same_server_has_the_same_document() {
    let files = ["shop.proto", "library.proto"];
    let document = || Server::new(&pool(&files)).document();
    let first = document();
    assert_eq!(first, document());
    let at = |name: &str| first.find(name).expect("it is there");
    assert!(at("\"/shop.Shop/Place\"") < at("\"/shop.Shop/Find\""), "as declared");
    assert!(at("\"shop.Filter\"") < at("\"shop.Found\""), "by name");
}

#[test]
fn types_that_refer_to_each_other_do_not_make_long_queries() {
    let pool = pool(&["mesh.proto"]);
    let document = Server::new(&pool).rule("Get", HttpRule::get("/v1/mesh/{x}")).document();
    let names: Vec<_> = document.match_indices("\"in\":\"query\"").collect();
    assert_eq!(names.len(), 200, "{document}");
    has(&document, &["{\"name\":\"b.c.d.e.x\",\"in\":\"query\""]);
    assert!(!document.contains("\"b.c.d.e.f.x\"") && !document.contains("\"b.b.x\""));
    assert!(document.len() < 100_000, "{} bytes", document.len());
    // A body refers to its types by name.
    let document = Server { json: (Json::CANONICAL, Json::CANONICAL), ..Server::new(&pool) }.document();
    has(member(&document, "mesh.A"), &["\"a\":{\"$ref\":\"#/components/schemas/mesh.A\"}"]);
    assert_eq!(document.matches("\"mesh.").count(), 8, "each type is described once");
}
