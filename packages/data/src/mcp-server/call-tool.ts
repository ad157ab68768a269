import { randomUUID } from 'node:crypto'
import type { OwnTool, Principal } from '@dataagent/hub'
import type { CallToolResult } from '@dataagent/mcp'
import { type AppError, isAppError, type ResultBlock } from '@dataagent/schema'
import { toTextChart } from '../charts/index.ts'
import { toChartSvg } from '../exports/index.ts'
import type { Queries } from '../queries/index.ts'
import { toPlace } from './output-files.ts'

export interface ToolCalls {
  tools: readonly OwnTool[]
  queries: Queries
  principal: Principal
  session_id: string
  outputFolder: string
  language: 'en' | 'zh'
  log(line: string): void
}

export interface AskedCall {
  name: string
  args: Record<string, unknown>
  /** Ends it. */
  signal: AbortSignal
}

const defaultMs = 60_000

/** Runs a tool for an MCP client, which is shown as content what people see elsewhere. */
export async function callTool(calls: ToolCalls, asked: AskedCall): Promise<CallToolResult> {
  const { tools, principal, session_id } = calls
  const tool = tools.find(({ name }) => name === asked.name)
  if (tool === undefined) return toFault(`There is no tool ${asked.name.slice(0, 64)}.`)
  const timeoutMs = tool.timeoutMs ?? defaultMs
  const late = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([asked.signal, late])
  const blocks: ResultBlock[] = []
  try {
    const result = await tool.run(asked.args, {
      ...{ principal, session_id, signal, call_id: randomUUID() },
      emit: (event) => void (event.event_type === 'result_block' && blocks.push(event.block)),
    })
    return await withBlocks(result, blocks, { ...calls, signal })
  } catch (error) {
    if (late.aborted) return toFault(`It took longer than ${timeoutMs / 1_000} s: stopped.`)
    return explain(error, tool.name, calls.log)
  }
}

type Shown = ToolCalls & { signal: AbortSignal }

async function withBlocks(
  result: CallToolResult,
  blocks: readonly ResultBlock[],
  shown: Shown,
): Promise<CallToolResult> {
  let told = result
  for (const block of blocks) {
    if (block.kind === 'chart') told = { ...told, content: await toChartContent(block, shown) }
    if (block.kind === 'export') told = withPlace(told, block.path, shown.outputFolder)
  }
  return told
}

type Content = CallToolResult['content']

/** More points than this say no more. */
const rowsMax = 10_000

/** As text for whoever shows no images, and as an image for people. */
async function toChartContent(
  { query_id, ref, chart: spec }: ResultBlock & { kind: 'chart' },
  { queries, principal, session_id, signal, language }: Shown,
): Promise<Content> {
  const ask = { principal, session_id, signal }
  const { columns } = await queries.get(ask, query_id)
  const rows = await queries.rows(ask, query_id, { offset: 0, limit: rowsMax })
  const text = toTextChart(spec, columns, rows, { width: 80, language })
  const svg = await toChartSvg({ spec, columns, rows, language, theme: 'light' })
  const uri = `dataagent://charts/${query_id}.svg`
  return [
    { type: 'text', text: `The chart of ${ref}:\n${text}` },
    {
      type: 'resource',
      resource: { uri, mimeType: 'image/svg+xml', text: svg },
      annotations: { audience: ['user'] },
    },
  ]
}

/** The path that the tool tells, as it is on this machine. */
function withPlace(result: CallToolResult, path: string, folder: string): CallToolResult {
  const place = toPlace(folder, path)
  const content = result.content.map((part) =>
    part.type === 'text' ? { ...part, text: part.text.replace(path, () => place) } : part,
  )
  return { ...result, content }
}

function explain(error: unknown, name: string, log: (line: string) => void): CallToolResult {
  if (isAppError(error) && error.code !== 'internal') return toFault(toWords(error))
  const reference = randomUUID().slice(0, 8)
  log(`${name} failed (${reference}): ${error instanceof Error ? error.stack : String(error)}`)
  return toFault(`It failed unexpectedly. The log has more under ${reference}.`)
}

function toWords({ message, data }: AppError): string {
  const { errors } = (data ?? {}) as { errors?: unknown }
  return errors === undefined ? message : `${message}: ${JSON.stringify(errors)}`
}

function toFault(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
