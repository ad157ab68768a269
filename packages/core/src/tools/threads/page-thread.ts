import { parentPort } from 'node:worker_threads'
import { toReadable } from './readable-page.ts'

export interface PageRequest {
  html: string
  /** Where the page came from: its links are made whole with it. */
  url: string
}

export type PageAnswer = { title: string; markdown: string } | { failure: string }

parentPort?.on('message', (page: PageRequest) => {
  parentPort?.postMessage(answer(page))
})

function answer(page: PageRequest): PageAnswer {
  try {
    return toReadable(page)
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deep' : 'its HTML cannot be read'
    return { failure: `The page could not be made readable: ${why}. Try http_request` }
  }
}
