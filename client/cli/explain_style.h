// The look of the page that explain_html.cc writes: light and dark, wide and narrow, on paper.
#ifndef TESSERA_CLIENT_CLI_EXPLAIN_STYLE_H_
#define TESSERA_CLIENT_CLI_EXPLAIN_STYLE_H_

namespace tessera::cli {

// What is cut is hatched and says so in words, so that no meaning hangs on a color alone.
inline constexpr char kExplainStyle[] = R"(
:root{color-scheme:light dark;--page:#fff;--ink:#1c2127;--quiet:#59636e;--card:#f6f8fa;--edge:#d5dbe1;
--kept:#1f7a54;--on-kept:#fff;--cut:#b4291f;--rest:#e3e7eb;--a:#1f5fa8;--b:#b35c00;--mark:#fff3cd}
@media (prefers-color-scheme:dark){:root{--page:#12161b;--ink:#e8ecf0;--quiet:#a0abb6;--card:#1a2027;
--edge:#323b45;--kept:#46b887;--on-kept:#0b1410;--cut:#ff8a7a;--rest:#2b333c;--a:#76b0f5;--b:#f0a24b;
--mark:#3a3310}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:88rem;background:var(--page);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:1.5rem 0 .5rem}
h3{font-size:1rem;margin:0 0 .25rem}.card>h2{margin-top:0}
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
.verdict{font-size:1.15rem;font-weight:600;margin:.25rem 0 1rem}
.columns{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr))}
.card{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:1rem;margin:0 0 1rem}
.card p{margin:.25rem 0}.quiet,figcaption{color:var(--quiet);font-size:.9rem}
figure{margin:.5rem 0 0;max-width:46rem;overflow-x:auto}figure svg{min-width:26rem}
svg{display:block;width:100%;height:auto}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:.5rem 0;font-size:.9rem}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{border-top:1px solid var(--edge);padding:.4rem .6rem;text-align:left;vertical-align:top}
thead th{border-top:0}.of-a{color:var(--a)}.of-b{color:var(--b)}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0 0 1rem;padding:0;list-style:none;
color:var(--quiet);font-size:.9rem}.legend svg{display:inline-block;width:26px;height:14px;margin-right:.4rem}
text{font:13px system-ui,sans-serif;fill:var(--ink)}.label{text-anchor:end}
.gone{fill:var(--quiet)}.strong{font-weight:600}.inside{text-anchor:middle;fill:var(--on-kept)}
.inside.gone{fill:var(--ink)}.kept{fill:var(--kept)}.rest{fill:var(--rest)}
.cut{fill:url(#hatch);stroke:var(--cut);stroke-width:1}
.ghost{fill:none;stroke:var(--ink);stroke-opacity:.55;stroke-width:1;stroke-dasharray:3 2}
.boundary{stroke:var(--cut);stroke-width:2}.threshold{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:5 3}
.cut-note{text-anchor:end;fill:var(--cut);font-size:11px}.threshold-note{font-size:12px}
.threshold-note.before{text-anchor:end}.bar-a{fill:var(--a)}.bar-b{fill:var(--b)}.mark{fill:var(--mark)}
.hatch-line{stroke:var(--cut);stroke-width:2}
@media print{body{max-width:none}.card{break-inside:avoid}}
)";

}  // namespace tessera::cli

#endif  // TESSERA_CLIENT_CLI_EXPLAIN_STYLE_H_
