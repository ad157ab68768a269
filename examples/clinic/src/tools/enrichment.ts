import { z } from 'zod'

/** What a model may add to what the rules found. Gives text; may throw. */
export type Enrich = (
  draft: { tool: string; result: object },
  options: { signal: AbortSignal },
) => Promise<string>

export const enrichmentSchema = z
  .object({ status: z.enum(['none', 'ok', 'failed']), text: z.string() })
  .describe('模型的补充说明；规则得出的结果不因它改变')

type Enrichment = z.infer<typeof enrichmentSchema>

/** The result with the model's words beside it. Without a model, or when it fails, it says so. */
export async function enriched<T extends object>(
  enrich: Enrich | undefined,
  draft: { tool: string; result: T },
  signal: AbortSignal,
): Promise<T & { enrichment: Enrichment }> {
  return { ...draft.result, enrichment: await ask(enrich, draft, signal) }
}

async function ask(
  enrich: Enrich | undefined,
  draft: { tool: string; result: object },
  signal: AbortSignal,
): Promise<Enrichment> {
  if (!enrich) return { status: 'none', text: '' }
  try {
    return { status: 'ok', text: await enrich(draft, { signal }) }
  } catch {
    // The rules' result is whole without it.
    return { status: 'failed', text: '' }
  }
}
