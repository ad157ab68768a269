import { isClientError } from '@dataagent/client'
import type { JsonObject, ToolExplainRequest, ToolExplanation, ToolView } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useClient } from '../api/api-context.ts'
import { QueryView } from '../api/query-view.tsx'
import { useTools } from '../api/use-choices.ts'
import { ArgsForm } from '../tools/try/args-form.tsx'
import { useArgs } from '../tools/try/use-args.ts'
import { useFieldErrors } from '../tools/try/use-try.ts'
import { Button } from '../ui/button.tsx'
import { Switch } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWords } from '../words/use-words.ts'
import { CallerFields } from './caller-fields.tsx'
import { explainWords } from './explain-words.ts'
import { Explanation } from './explanation.tsx'

/** Who calls what. */
export interface Question {
  /** By any name that it is known by. */
  tool?: string | undefined
  user?: string | undefined
  agent?: string | undefined
}

interface ExplainProps {
  question: Question
  /** What the call was to be made with. */
  args?: JsonObject | undefined
  onAsk(question: Question): void
}

/** Why a user, through an agent or by hand, may or may not call a tool. */
export function Explain({ question, args: given, onAsk }: ExplainProps) {
  const words = useWords(explainWords)
  const [draft, setDraft] = useState(question)
  const [isCall, setCall] = useState(given !== undefined)
  const [asked, setAsked] = useState(given)
  const [round, setRound] = useState(0)
  const tools = useTools()
  const known = tools.data?.find((tool) => isCalled(tool, draft.tool?.trim()))
  const args = useArgs(known?.inputSchema, given)
  const query = useExplanation(question, { args: asked, round })
  const toProblems = useFieldErrors()
  const check = query.data?.arguments
  const told = toProblems(check?.status === 'invalid' ? check.errors : undefined)

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    const read = isCall ? args.read() : undefined
    if (isCall && !read) return
    setAsked(read)
    setRound(round + 1)
    onAsk(toTrimmed(draft))
  }

  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-soft">{words.about}</p>
      <form noValidate className="flex flex-col gap-3" onSubmit={onSubmit}>
        <CallerFields
          {...{ question: draft, tools: tools.data ?? [] }}
          onChange={(part) => setDraft({ ...draft, ...part })}
        />
        <Switch
          label={words.withArgs}
          hint={words.withArgsHint}
          checked={isCall}
          onChange={setCall}
        />
        {isCall && (
          <div className="flex flex-col gap-3 rounded-xl border border-line bg-back p-4">
            <ArgsForm args={args} about="" told={told} />
          </div>
        )}
        <div>
          <Button
            type="submit"
            kind="primary"
            busy={query.isFetching}
            disabled={!draft.tool?.trim()}
          >
            {words.ask}
          </Button>
        </div>
      </form>
      {question.tool !== undefined && (
        <div aria-live="polite">
          {isClientError(query.error, 'not_found') ? (
            <Notice tone="wait">{`${words.notFound} ${words.builtIn}`}</Notice>
          ) : (
            <QueryView query={query}>
              {(explanation) => <Explanation explanation={explanation} />}
            </QueryView>
          )}
        </div>
      )}
    </div>
  )
}

function isCalled({ sdk_name, server_id, name }: ToolView, text: string | undefined): boolean {
  return sdk_name === text || `${server_id}/${name}` === text
}

function toTrimmed({ tool, user, agent }: Question): Question {
  const filled = (text: string | undefined) => text?.trim() || undefined
  return { tool: filled(tool), user: filled(user), agent: filled(agent) }
}

/** `round` asks again what was asked before: a rule may have been made meanwhile. */
function useExplanation(
  { tool, user, agent }: Question,
  { args, round }: { args: JsonObject | undefined; round: number },
) {
  const client = useClient()
  return useQuery<ToolExplanation>({
    queryKey: ['explain', tool, user, agent, args, round],
    queryFn: ({ signal }) => {
      const body: ToolExplainRequest = { tool: tool ?? '' }
      if (user !== undefined) body.user_id = user
      if (agent !== undefined) body.assistant_id = agent
      if (args !== undefined) body.args = args
      return client.tools.explain(body, { signal })
    },
    enabled: tool !== undefined,
    staleTime: 0,
    retry: false,
  })
}
