import type { Attributes } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
import type { ModelCall, ModelReply } from '../middleware/index.ts'
import { toInputAttributes, toOutputAttributes } from './content-attributes.ts'
import { toModelNames } from './model-names.ts'
import type { Run } from './run.ts'
import { type ReplySink, streamReply } from './stream-reply.ts'

/** What spans tell of a call of a model. */
export type AskedModel = Pick<
  ModelCall,
  'systemPrompt' | 'messages' | 'maxTokens' | 'temperature'
> & { model: { name: string } }

/** Asks the model once, as a span, and tells what it took. Throws as the model. */
export function askInSpan(run: Run, call: ModelCall): Promise<ModelReply> {
  return inModelSpan(run, call, (sink) => streamReply(call, sink, run.signal))
}

/** The same for a model that somebody else asks. */
export async function inModelSpan(
  run: Run,
  call: AskedModel,
  ask: (sink: ReplySink) => Promise<ModelReply>,
): Promise<ModelReply> {
  const { means, span: parent, log } = run
  const { clock, traceContent, onModelCall } = means
  const { provider, model } = toModelNames(call.model.name)
  const span = means.tracer.start(`chat ${model}`, {
    kind: 'client',
    parent: parent.context,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.request.max_tokens': call.maxTokens,
      'gen_ai.request.temperature': call.temperature,
      'gen_ai.conversation.id': run.session_id,
      'session.id': run.session_id,
      'dataagent.run_id': run.state.run_id,
    },
  })
  if (traceContent) {
    // The conversation grows before the span is sent.
    const asked = { ...call, messages: [...call.messages] }
    span.set(() => toInputAttributes(traceContent, asked))
  }
  const begun = clock.monotonic()
  const sinceBegun = () => (clock.monotonic() - begun) / 1000
  let firstSeconds: number | undefined
  const sink = {
    ...{ text: log.text, restartText: log.restartText },
    begun() {
      firstSeconds = sinceBegun()
    },
  }

  function end(status: string, usage?: ModelReply['usage']): void {
    span.set({ 'gen_ai.response.time_to_first_chunk': firstSeconds })
    onModelCall?.({
      ...{ model: call.model.name, status, seconds: sinceBegun(), firstSeconds, usage },
    })
  }

  try {
    const reply = await ask(sink)
    end('ok', reply.usage)
    span.set(toReplyAttributes(reply, model))
    if (traceContent) span.set(() => toOutputAttributes(traceContent, reply))
    span.end()
    return reply
  } catch (error) {
    const type = isAppError(error) ? error.code : 'internal'
    end(type)
    span.end({ error: { type, message: 'the model did not answer' } })
    throw error
  }
}

function toReplyAttributes(reply: ModelReply, asked: string): Attributes {
  const { usage, finish } = reply
  return {
    'gen_ai.response.model': reply.model === undefined ? asked : toModelNames(reply.model).model,
    'gen_ai.response.finish_reasons': [finish],
    'gen_ai.usage.input_tokens': usage?.prompt_tokens,
    'gen_ai.usage.output_tokens': usage?.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cached_tokens,
  }
}
