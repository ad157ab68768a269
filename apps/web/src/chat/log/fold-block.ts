import type { ResultBlock, ResultBlockEvent } from '@dataagent/schema'
import type { Part, ShownBlock } from './turn.ts'

type Parts = readonly Part[]
type Chart = Extract<ResultBlock, { kind: 'chart' }>

/** A block goes to its call, a chart to its query; what belongs to neither stands by itself. */
export function foldBlock(parts: Parts, event: ResultBlockEvent & { seq: number }): Parts {
  const { block, tool_call_id, seq } = event
  if (block.kind === 'chart' && parts.some((part) => holdsQuery(part, block.query_id))) {
    return parts.map((part) => joinChart(part, block))
  }
  const shown = toShown(block)
  const at = parts.findIndex((part) => part.kind === 'tool' && part.tool_call_id === tool_call_id)
  if (at === -1) return [...parts, { kind: 'block', key: `${seq}`, block: shown }]
  return parts.map((part, i) =>
    i === at && part.kind === 'tool' ? { ...part, blocks: [...part.blocks, shown] } : part,
  )
}

function toShown(block: ResultBlock): ShownBlock {
  return block.kind === 'query' ? { kind: 'query', query: block.query, charts: [] } : block
}

function holdsQuery(part: Part, query_id: string): boolean {
  if (part.kind === 'block') return isOf(part.block, query_id)
  if (part.kind !== 'tool') return false
  const below = part.parts.some((each) => holdsQuery(each, query_id))
  return below || part.blocks.some((block) => isOf(block, query_id))
}

function joinChart(part: Part, chart: Chart): Part {
  if (!holdsQuery(part, chart.query_id)) return part
  if (part.kind === 'block') return { ...part, block: addChart(part.block, chart) }
  if (part.kind !== 'tool') return part
  return {
    ...part,
    blocks: part.blocks.map((block) => addChart(block, chart)),
    parts: part.parts.map((each) => joinChart(each, chart)),
  }
}

function addChart(block: ShownBlock, { query_id, chart }: Chart): ShownBlock {
  if (block.kind !== 'query' || block.query.query_id !== query_id) return block
  return { ...block, charts: [...block.charts, chart] }
}

function isOf(block: ShownBlock, query_id: string): boolean {
  return block.kind === 'query' && block.query.query_id === query_id
}
