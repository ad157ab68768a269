import { z } from 'zod'
import { defineTool, type OwnTool } from '../define-tool/index.ts'
import type { Results } from './contract.ts'

/** The tool by which a model reads on in a result that was too large. */
export function createReadResultTool(results: Pick<Results, 'read'>): OwnTool {
  return defineTool({
    name: 'read_result',
    title: 'Read a large result',
    description: 'Reads one page of a tool result that was too large to be handed over at once.',
    category: 'results',
    input: z.object({
      result_id: z.string().max(100).describe('as the result that was cut names it'),
      page: z.int().min(1).default(1).describe('which page, from 1'),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    untrusted: true,
    idempotent: true,
    async run({ result_id, page }, { principal }) {
      const { text, pages } = await results.read(principal, result_id, page)
      const next = page < pages ? `; the next is ${page + 1}` : '; it is the last'
      const place = `[page ${page} of ${pages}${next}]`
      return { content: [text, place].map((part) => ({ type: 'text' as const, text: part })) }
    },
  })
}
