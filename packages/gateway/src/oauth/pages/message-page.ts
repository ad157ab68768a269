import { html, type PlainResponse } from '../../http/index.ts'
import { type PageFrame, toPage, wordsOf } from './layout.ts'
import type { Message } from './words.ts'

const statuses: Record<Message, number> = {
  unknown_client: 400,
  unknown_redirect: 400,
  faulty: 400,
  ended: 410,
  other_browser: 403,
  other_page: 403,
  too_many_requests: 429,
  unavailable: 503,
  failed: 500,
  denied: 200,
}

interface MessageMore {
  headers?: PlainResponse['headers'] | undefined
  /** For whoever runs the program. */
  detail?: string
}

/** A page that says one thing, and leads nowhere. */
export function messagePage(
  message: Message,
  frame: PageFrame,
  { headers, detail }: MessageMore = {},
): PlainResponse {
  const { title, text } = wordsOf(frame.language).messages[message]
  const body = html`<h1>${title}</h1>\n<p class="soft">${text}</p>
${detail !== undefined && html`<p class="hint">${detail}</p>`}`
  return toPage({ ...frame, status: statuses[message], title, body, headers })
}

/** The code itself, for a program that has no address to be sent to. */
export function codePage(code: string, frame: PageFrame): PlainResponse {
  const words = wordsOf(frame.language).code
  const body = html`<h1>${words.title}</h1>
<p class="soft">${words.text}</p>
<label class="field" for="code">${words.label}</label>
<input class="text code" id="code" readonly value="${code}" autocomplete="off">
<p class="hint">${words.advice}</p>`
  return toPage({ ...frame, status: 200, title: words.title, body })
}
