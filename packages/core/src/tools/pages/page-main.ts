import { text } from 'node:stream/consumers'
import { toReadable } from './readable-page.ts'

// A process of its own: one page comes in on standard input, what it says goes out.

export interface PageRequest {
  html: string
  /** Where the page came from: its links are made whole with it. */
  url: string
}

export type PageAnswer = { title: string; markdown: string } | { failure: string }

const page: PageRequest = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(answer(page)))

function answer(page: PageRequest): PageAnswer {
  try {
    return toReadable(page)
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deep' : 'its HTML cannot be read'
    return { failure: `The page could not be made readable: ${why}. Try http_request` }
  }
}
