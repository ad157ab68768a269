import type { ToolExplanation } from '@dataagent/schema'
import { Badge } from '../ui/badge.tsx'
import { Mono } from '../ui/details.tsx'
import { Notice } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useFormats, useLang, useWords } from '../words/use-words.ts'
import { explainWords } from './explain-words.ts'
import { toStep } from './to-step.ts'
import { useReason } from './use-reason.ts'

const tones = { allow: 'good', ask: 'wait', deny: 'bad' } as const

/** The verdict in words, and each step on the way to it. */
export function Explanation({ explanation }: { explanation: ToolExplanation }) {
  const { verdict, tool, steps } = explanation
  const words = useWords(explainWords)
  const lang = useLang()
  const formats = useFormats()
  const toReason = useReason()
  return (
    <div className="flex flex-col gap-4">
      <Notice tone={tones[verdict.status]} title={words.verdicts[verdict.status]}>
        <p>
          <PlainText text={toReason(verdict.by)} />
        </p>
        {verdict.status === 'ask' && verdict.once_per_session && <p>{words.oncePerSession}</p>}
        {verdict.status === 'ask' && verdict.unless_asked && (
          <p>{words.unlessAsked(words.verdicts[verdict.unless_asked.status])}</p>
        )}
      </Notice>
      <ArgumentsNotice check={explanation.arguments} />
      <Panel
        title={words.steps}
        about={
          <>
            <Mono text={`${tool.server_id} / ${tool.name}`} />
            {' · '}
            {words.revision(formats.number(verdict.revision))}
          </>
        }
      >
        <ol className="flex list-decimal flex-col gap-1 pl-5 text-sm [overflow-wrap:anywhere]">
          {steps.map(({ what, decided }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
            <li key={i} className={decided ? 'font-semibold' : 'text-soft'}>
              <PlainText text={toStep(what, lang)} />{' '}
              {decided && <Badge tone="accent">{words.decided}</Badge>}
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  )
}

/** Which of them do not fit, stands at the fields. */
function ArgumentsNotice({ check }: { check: ToolExplanation['arguments'] }) {
  const words = useWords(explainWords)
  if (!check) return null
  if (check.status === 'ok') return <Notice tone="good">{words.argsOk}</Notice>
  const isInvalid = check.status === 'invalid'
  return <Notice tone="wait">{isInvalid ? words.argsInvalid : words.argsFailed}</Notice>
}
