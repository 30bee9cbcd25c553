use super::*;

fn page(body: &str) -> Page {
    read_page(
        &format!("<!doctype html><body>{body}</body>"),
        &Options::default(),
    )
    .expect("no selector to be wrong")
}

/// Checks the text of a page, its headings left out.
#[track_caller]
fn check_text(body: &str, expected: &str) {
    let page = page(body);
    let texts: Vec<&str> = page
        .sections
        .iter()
        .map(|section| section.text.as_str())
        .collect();
    assert_eq!(texts.join("\n").trim(), expected, "{body}");
}

/// Checks the outline of a page, written as `heading#anchor`.
#[track_caller]
fn check_headings(body: &str, expected: &[&str]) {
    let page = page(body);
    let heading = |section: &Section| match &section.anchor {
        Some(anchor) => format!("{}#{anchor}", section.heading),
        None => section.heading.clone(),
    };
    let headings: Vec<String> = page.sections.iter().map(heading).collect();
    assert_eq!(headings, expected, "{body}");
}

#[test]
fn blocks_divide_words_and_inline_elements_do_not() {
    check_text(
        "<main><ul><li>a</li><li>b</li></ul><p>c<br>d</p>un<b>break</b>able</main>",
        "a\nb\nc\nd\nunbreakable",
    );
    check_text(
        "<main><label>npm</label><label>yarn</label><dl><dt>a</dt><dd>b</dd></dl></main>",
        "npm\nyarn\na\nb",
    );
    check_text(
        "<main><p>see <img alt='the map'>here</p></main>",
        "see the map here",
    );
}

#[test]
fn the_best_marked_content_is_read_alone() {
    check_text("<nav>menu</nav><main>a</main><footer>b</footer>", "a");
    check_text(
        "<main>a<div data-pagefind-body>b</div>c<p data-pagefind-body>d</p></main>",
        "b\nd",
    );
    check_text(
        "<main data-pagefind-body>a<div data-groundling-body>b</div></main>",
        "b",
    );
    check_text(
        "<main>menu<div class='theme-doc-markdown markdown'>b</div></main>",
        "b",
    );
    check_text("<div role=main>a</div><div>b</div>", "a");
    check_text(
        "<article>a</article>b<article>c<article>d</article></article>",
        "a\nc\nd",
    );
}

#[test]
fn content_marked_but_empty_falls_back_to_the_next_place() {
    check_text("<main></main><article>a</article>", "a");
    check_text(
        "<header>site</header><nav>menu</nav><p>a</p><aside>b</aside><footer>c</footer>",
        "a",
    );
    assert!(page("<p>a</p>").whole_body);
    assert!(!page("<main>a</main>").whole_body);
}

#[test]
fn a_configured_selector_wins() {
    let options = Options {
        selector: Some(".docs > p".to_owned()),
        ..Options::default()
    };
    let page = read_page(
        "<main>a<div class=docs><p>b</p><i>c</i><p>d</p></div></main>",
        &options,
    );
    assert_eq!(page.expect("a valid selector").sections[0].text, "b\nd");
}

#[test]
fn what_readers_use_and_do_not_read_is_dropped() {
    check_text(
        "<main>a<script>x</script><style>y</style><template>z</template><!-- w --><noscript>v</noscript></main>",
        "a",
    );
    check_text(
        "<main>a<p hidden>b</p><p aria-hidden=true>c</p><p style='display: none'>d</p></main>",
        "a",
    );
    check_text(
        "<main>a<button>Copy</button><a rel=next href=b>Next</a><div class='edit-this-page'>Edit</div></main>",
        "a",
    );
    check_text(
        "<main>a<p data-pagefind-ignore>b</p><p data-groundling-ignore>c</p></main>",
        "a",
    );
    check_text(
        "<main>word<sup><a href='#fn1'>1</a></sup> next</main>",
        "word next",
    );
    check_text("<main>x<sup>2</sup></main>", "x^2");
}

#[test]
fn a_sign_that_leads_back_is_no_text() {
    check_text(
        "<main><p>note <a href='#r1'>\u{21a9}\u{fe0e}</a></p><p><a href='#x'>words</a></p></main>",
        "note\nwords",
    );
    check_text(
        "<main><span class=label><span class=fn-bracket>[</span><a role=doc-backlink href='#a'>1</a><span class=fn-bracket>]</span></span><p>note</p></main>",
        "note",
    );
}

#[test]
fn a_code_block_is_without_the_name_of_its_language() {
    check_text(
        "<main><div class='language-sh'><span class=lang>sh</span><pre>ls</pre></div></main>",
        "ls",
    );
    check_text(
        "<main><p>say <span class=lang>sh</span></p></main>",
        "say sh",
    );
}

#[test]
fn marks_of_a_template_are_honoured() {
    check_text(
        "<main>a<p data-pagefind-ignore=index>b</p><p data-pagefind-ignore=false>c</p><p data-pagefind-weight=0>d</p></main>",
        "a\nc",
    );
    let marked = page(
        "<main><h1>Heading</h1><p>a</p><p data-groundling-weight=5>big <b data-pagefind-weight=9>words</b></p></main>\
         <i data-pagefind-meta='title:Title' data-pagefind-filter='version:2, tag'>new</i>",
    );
    assert_eq!(marked.title, "Title");
    // An inline value goes to the end of the attribute, commas included.
    assert_eq!(marked.version.as_deref(), Some("2, tag"));
    let section = &marked.sections[0];
    let emphasized: Vec<&str> = section
        .emphasis
        .iter()
        .map(|range| &section.text[range.clone()])
        .collect();
    assert_eq!(emphasized, ["big words"]);
}

#[test]
fn a_defined_term_with_an_id_is_a_place_to_link_to() {
    let page = page(
        "<main><h2>Options</h2><dl><dt id=a><code>--all</code><a class=headerlink href='#a'>¶</a></dt><dd>everything</dd>\
         <dt><a id=b></a>--bad</dt><dd>nothing</dd><dt>plain</dt><dd>x</dd></dl></main>",
    );
    let section = &page.sections[0];
    let places: Vec<(&str, &str, &str)> = section
        .parts
        .iter()
        .map(|part| {
            (
                part.anchor.as_str(),
                part.title.as_str(),
                &section.text[part.at..part.at + 5],
            )
        })
        .collect();
    assert_eq!(places, [("a", "--all", "--all"), ("b", "--bad", "--bad")]);
}

#[test]
fn a_formula_without_a_source_is_read_by_its_layout() {
    check_text(
        "<main>k<mjx-container><svg aria-hidden=true></svg><mjx-assistive-mml style='user-select:none'><math>\
         <mo>=</mo><mfrac><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mfrac></math></mjx-assistive-mml></mjx-container></main>",
        "k=m/c^2",
    );
}

#[test]
fn the_title_of_an_aside_is_read_although_its_label_says_it_too() {
    check_text(
        "<main><aside><p class=starlight-aside__title aria-hidden=true>Mind</p>x</aside></main>",
        "Mind\nx",
    );
}

#[test]
fn what_looks_like_decoration_and_is_content_stays() {
    check_text(
        "<main><div role=tabpanel hidden>a</div><details><summary>b</summary>c</details></main>",
        "a\nb\nc",
    );
    check_text(
        "<main><blockquote>a<footer>who</footer></blockquote></main>",
        "a\nwho",
    );
    check_text(
        "<main><aside class=note>a</aside><header>b</header></main>",
        "a\nb",
    );
    check_headings(
        "<header><h1>Title</h1><nav>menu</nav></header><p>a</p>",
        &["Title"],
    );
}

#[test]
fn tables_are_read_row_by_row() {
    check_text(
        "<main><table><thead><tr><th>Name<th>Use</thead><tr><td><p>a</p><p>b</p><td>c</table></main>",
        "Name\tUse\na b\tc",
    );
}

#[test]
fn code_is_kept_exactly_without_line_numbers() {
    let code = "if x:\n    y(1)\n\n    z()";
    check_text(
        &format!("<main><pre><code>{code}\n</code></pre></main>"),
        code,
    );
    check_text(
        "<main><pre><span class=boring># hid\n</span>a\n  <b>b</b></pre></main>",
        "a\n  b",
    );
    check_text(
        "<main><pre><div><span>a</span></div><div>  b</div>c<br>d</pre></main>",
        "a\n  b\nc\nd",
    );
    check_text(
        "<main><table><tr><td class=x><pre>1\n2</pre><td><pre>a\n b</pre></table></main>",
        "a\n b",
    );
    check_text(
        "<main><pre><span style='user-select: none'>7</span>a</pre></main>",
        "a",
    );
    check_text(
        "<main><pre><span class=line><span class=ln>1</span>a\n</span><span class=line><span class=ln>2</span>b</span></pre></main>",
        "a\nb",
    );
    check_text(
        "<main><table><tr><td>7<td><pre>a</pre></table></main>",
        "7\na",
    );
}

#[test]
fn a_heading_is_what_its_author_wrote() {
    check_headings(
        "<main><h2 id=a>A<a class=headerlink href='#a'>¶</a></h2></main>",
        &["A#a"],
    );
    check_headings(
        "<main><h2 id=a><a class=anchor href='#a'>#</a>A</h2></main>",
        &["A#a"],
    );
    check_headings(
        "<main><h2 id=a>A <a class=permalink href='#a'>link</a></h2></main>",
        &["A#a"],
    );
    check_headings(
        "<main><h2 id=a><a class=header href='#a'>A <code>b</code></a></h2></main>",
        &["A b#a"],
    );
    check_headings(
        "<main><h2 id=a><a class=header-anchor href='#a'><span>A</span></a></h2></main>",
        &["A#a"],
    );
    check_headings("<main><h2>A<br>b</h2><h3></h3></main>", &["A b"]);
}

#[test]
fn an_anchor_is_found_in_before_or_around_its_heading() {
    check_headings("<main><h2><a name=a></a>A</h2></main>", &["A#a"]);
    check_headings(
        "<main><a id=a></a><h2>A</h2><h2>B</h2></main>",
        &["A#a", "B"],
    );
    check_headings(
        "<main><section id=a><h2>A</h2>x<section id=b><span id=c></span><h3>B</h3></section></section></main>",
        &["A#a", "B#c"],
    );
    check_headings(
        "<main><div id=a><p>x</p><h2>A</h2></div></main>",
        &["", "A"],
    );
    check_headings(
        "<main><section id=s><p>x</p><h2>A</h2></section><h2>B</h2></main>",
        &["#s", "A#s", "B"],
    );
    check_headings("<main><h2>A <a href='#a'>#</a></h2></main>", &["A#a"]);
    check_headings("<main><h2>See <a href='#b'>B</a></h2></main>", &["See B"]);
}

#[test]
fn a_formula_is_kept_as_its_source() {
    check_text(
        "<main><span class=katex><math><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></math>\
         <span aria-hidden=true>x2</span></span></main>",
        "x^2",
    );
}

#[test]
fn deep_and_broken_pages_are_read() {
    // Tags that html5ever nests in linear time: the depth is the walk's matter.
    for tag in ["span", "b", "x-y"] {
        check_text(
            &format!("<main>{}x", format!("<{tag}>").repeat(10_000)),
            "x",
        );
    }
    check_text("<main><p>a<div>b</p></span>c<td>d", "a\nb\ncd");
}
