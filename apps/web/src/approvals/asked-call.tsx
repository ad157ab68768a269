import type { ActionRequest } from '@dataagent/schema'
import { useState } from 'react'
import { JsonView } from '../results/json-view.tsx'
import { LongText } from '../results/long-text.tsx'
import { riskTones, toRisk } from '../tools/server/risk.ts'
import { Badge } from '../ui/badge.tsx'
import { Choice } from '../ui/choice.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { approvalWords } from './approval-words.ts'
import { inboxWords } from './inbox-words.ts'
import { hiddenCharacters, toAnnotations, toDescription } from './shown-action.ts'
import { toWhy } from './to-why.ts'

/** What the tool may do, as its server claims. */
export function RiskBadge({ action }: { action: ActionRequest }) {
  const words = useWords(approvalWords)
  const risk = toRisk(toAnnotations(action))
  return <Badge tone={riskTones[risk]}>{words.risks[risk]}</Badge>
}

/** Why a person is asked. */
export function WhyAsked({ reason }: { reason: string }) {
  const words = useWords(inboxWords)
  return (
    <p className="text-sm [overflow-wrap:anywhere]">
      <PlainText text={words.whyAsked(toWhy(reason, words))} />
    </p>
  )
}

/** What the tool does, in the words of its server. */
export function AskedDescription({ action }: { action: ActionRequest }) {
  const words = useWords(inboxWords)
  const description = toDescription(action)
  if (description === '') return null
  return (
    <div className="text-sm [overflow-wrap:anywhere]">
      <h3 className="text-xs font-semibold text-soft">{words.does}</h3>
      <PlainText text={description} />
    </div>
  )
}

/** The arguments, each with its name or as they are sent, and how much of them is not shown. */
export function AskedArgs({ action }: { action: ActionRequest }) {
  const words = useWords(approvalWords)
  const inbox = useWords(inboxWords)
  const formats = useFormats()
  const [view, setView] = useState<'fields' | 'json'>('fields')
  const { args } = action
  const names = Object.keys(args)
  const hidden = hiddenCharacters(action)
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-back p-3">
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-xs font-semibold text-soft">{words.args}</h3>
        {names.length > 0 && (
          <Choice
            label={words.view}
            values={['fields', 'json'] as const}
            value={view}
            texts={{ fields: words.fields, json: words.json }}
            onChange={setView}
          />
        )}
      </div>
      {hidden > 0 && <p className="text-sm text-wait">{inbox.hidden(formats.number(hidden))}</p>}
      {names.length === 0 && <p className="text-sm text-soft">{words.noArgs}</p>}
      {names.length > 0 &&
        (view === 'json' ? (
          <LongText text={JSON.stringify(args, null, 2)} name="arguments" />
        ) : (
          <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(6rem,max-content)_1fr]">
            {names.map((name) => (
              <Field key={name} name={name} value={args[name]} />
            ))}
          </dl>
        ))}
    </div>
  )
}

function Field({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <dt className="text-soft [overflow-wrap:anywhere]">
        <PlainText text={name} />
      </dt>
      <dd className="min-w-0 font-mono text-[13px]">
        <JsonView value={value} />
      </dd>
    </>
  )
}
