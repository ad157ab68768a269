import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import type { CallToolResult } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import { isSurelyWithin } from '../json-within.ts'
import type { ResultHandle, ToolResult } from '../outcome.ts'
import { createPause } from '../pause.ts'
import { type Principal, toCallerKey } from '../principal.ts'
import { writeJson } from '../write-json.ts'
import type { ResultRow, ResultRows, Results } from './contract.ts'
import { toMixedHead, toTextHead } from './head.ts'
import { createKeptBytes } from './kept-bytes.ts'
import { textOf, toKept } from './kept-text.ts'
import { toPages } from './to-pages.ts'

export interface ResultsOptions {
  rows: ResultRows
  clock?: Clock
  /** Of a result as JSON in UTF-8: a larger one is handed over in pages. */
  maxBytes?: number
  pageBytes?: number
  /** A larger one is not kept: only its beginning is handed over. */
  keepBytes?: number
  /** What one tenant may have kept aside through this process at a time. Default 256 MiB. */
  tenantBytes?: number
  ttlMs?: number
}

const sweptAtOnce = 100
const idPattern = /^res_[\w-]{32}_(\d{1,6})$/

const unwritableText = 'The tool gave a result that JSON cannot hold.'
const unwritable: ToolResult = {
  text: unwritableText,
  raw: { content: [{ type: 'text', text: unwritableText }], isError: true },
}

export function createResults(options: ResultsOptions): Results {
  const { rows, clock = systemClock, maxBytes = 1024 * 1024, pageBytes = 64 * 1024 } = options
  const { keepBytes = 16 * 1024 * 1024, ttlMs = 60 * 60_000 } = options
  const { tenantBytes = 256 * 1024 * 1024 } = options
  const kept = createKeptBytes({ max: tenantBytes, ttlMs, clock })

  return {
    fit(principal, raw) {
      return isSurelyWithin(raw, maxBytes) ? whole(raw) : fitLarge(principal, raw)
    },

    async read(principal, result_id, page) {
      const pages = Number(idPattern.exec(result_id)?.[1] ?? 0)
      const isPage = Number.isInteger(page) && page >= 1 && page <= pages
      const row = isPage ? await rows.page(result_id, page) : undefined
      if (!row || !isFor(principal, row)) {
        throw new AppError('not_found', 'there is no such result or page; it may have expired')
      }
      return { result_id, page, pages, text: row.content }
    },

    async sweep() {
      const now = clock.now()
      while ((await rows.deleteExpired(now, sweptAtOnce)) > 0);
    },
  }

  async function fitLarge(principal: Principal, raw: CallToolResult): Promise<ToolResult> {
    const written = await writeResult(raw, clock)
    if (written === undefined) return unwritable
    if (written.bytes <= maxBytes) return whole(raw, written.structured)
    return handOver(principal, raw, written)
  }

  async function handOver(
    principal: Principal,
    raw: CallToolResult,
    written: Written,
  ): Promise<ToolResult> {
    const { bytes } = written
    const whole = bytes > keepBytes ? undefined : toKept(raw, written)
    const pages = whole ? toPages(whole.text, pageBytes) : []
    const rest = whole && (await keep(principal, pages, bytes))
    const head =
      whole?.kind === 'text'
        ? toTextHead(raw, pages[0]!, toNote(bytes, rest, 2))
        : toMixedHead(raw, pageBytes, toNote(bytes, rest, 1))
    return { text: textOf(head), raw: head, ...(rest && { rest }) }
  }

  /** Undefined where it could not be kept. */
  async function keep(
    principal: Principal,
    pages: string[],
    bytes: number,
  ): Promise<ResultHandle | undefined> {
    const result_id = `res_${randomBytes(24).toString('base64url')}_${pages.length}`
    const expires_at = clock.now() + ttlMs
    const { tenant_id } = principal
    if (!kept.take(tenant_id, bytes)) return undefined
    const row = { result_id, tenant_id, caller: toCallerKey(principal), expires_at }
    try {
      await rows.insert(pages.map((content, index) => ({ ...row, page: index + 1, content })))
    } catch {
      return undefined
    }
    return { result_id, bytes, pages: pages.length, expires_at }
  }

  function isFor(principal: Principal, row: ResultRow): boolean {
    const isOwn = row.tenant_id === principal.tenant_id && row.caller === toCallerKey(principal)
    return isOwn && row.expires_at > clock.now()
  }
}

function whole(raw: CallToolResult, structured?: string): ToolResult {
  try {
    return { text: textOf(raw, structured), raw }
  } catch {
    return unwritable
  }
}

/** A result as JSON, and its structured content by itself. */
interface Written {
  json: string
  structured: string | undefined
  bytes: number
}

/** Undefined for what JSON cannot hold, or is too deep for. */
async function writeResult(raw: CallToolResult, clock: Clock): Promise<Written | undefined> {
  const { structuredContent, ...others } = raw
  const pause = createPause(clock)
  try {
    const rest = (await writeJson(others, pause)) ?? '{}'
    const structured = await writeJson(structuredContent, pause)
    const json =
      structured === undefined ? rest : `${rest.slice(0, -1)},"structuredContent":${structured}}`
    return { json, structured, bytes: Buffer.byteLength(json) }
  } catch {
    return undefined
  }
}

function toNote(bytes: number, rest: ResultHandle | undefined, next: number): string {
  const size = `The result has ${bytes} bytes, too many to hand over at once.`
  if (!rest) return `[${size} This is its beginning; the rest could not be kept. Ask for less.]`
  const { result_id, pages } = rest
  const call = `read_result with {"result_id":"${result_id}","page":${next}}`
  if (next === 1) return `[${size} It is kept as JSON in ${pages} pages: call ${call}.]`
  if (pages === 1) return `[${size} All of its text is above.]`
  return `[${size} This was page 1 of ${pages}: to read on, call ${call}.]`
}
