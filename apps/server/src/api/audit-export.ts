import { Readable } from 'node:stream'
import type { CallRecord } from '@dataagent/hub'
import { callRecordSchema } from '@dataagent/schema'
import type { FastifyReply } from 'fastify'

export interface ExportOptions {
  /** Newest first, those that began at `to` or before. */
  read(part: { limit: number; offset: number; to?: number }): Promise<CallRecord[]>
  format: 'ndjson' | 'csv'
  reply: FastifyReply
  signal: AbortSignal
}

const pageSize = 500

/** Sends all calls page by page, as fast as they are taken. */
export async function exportCalls(options: ExportOptions): Promise<FastifyReply> {
  const { read, format, reply, signal } = options
  // Read before anything is sent: what fails here is still answered as an error.
  const first = await read({ limit: pageSize, offset: 0 })
  const { type, head, toLine } = formats[format]

  async function* lines() {
    yield head
    for await (const page of pages(first, read)) {
      if (signal.aborted) return
      yield page.map(toLine).join('')
    }
  }

  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="calls.${format}"`)
    .send(Readable.from(lines()))
}

/** Each page goes on where the last one ended, so that the last costs no more than the first. */
async function* pages(first: CallRecord[], read: ExportOptions['read']) {
  let page = first
  let offset = 0
  let to: number | undefined
  while (page.length > 0) {
    yield page
    if (page.length < pageSize) return
    const last = page.at(-1)?.started_at ?? 0
    const atLast = page.filter(({ started_at }) => started_at === last).length
    offset = last === to ? offset + atLast : atLast
    to = last
    page = await read({ limit: pageSize, offset, to })
  }
}

const columns = Object.keys(callRecordSchema.shape) as (keyof CallRecord)[]

const formats = {
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    head: '',
    toLine: (call: CallRecord) => `${JSON.stringify(call)}\n`,
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: `${columns.join(',')}\r\n`,
    toLine: (call: CallRecord) => `${columns.map((column) => toCell(call[column])).join(',')}\r\n`,
  },
}

/** RFC 4180; a text that a spreadsheet would take for a formula begins with an apostrophe. */
function toCell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
