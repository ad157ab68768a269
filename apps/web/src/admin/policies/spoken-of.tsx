import type { Rule } from '@dataagent/schema'
import { Mono } from '../../ui/details.tsx'
import { useWords } from '../../words/use-words.ts'
import { policiesWords } from './policies-words.ts'

/** Whom a rule or limit speaks of. */
export function Subject({ subject: { kind, id } }: Pick<Rule, 'subject'>) {
  const words = useWords(policiesWords)
  if (id === '*') return words.every[kind]
  return (
    <>
      {words.kinds[kind]} <Mono text={id} />
    </>
  )
}

/** Which tools it speaks of. */
export function Target({ server_id, tool }: Pick<Rule, 'server_id' | 'tool'>) {
  const words = useWords(policiesWords)
  return (
    <span className="flex flex-col">
      {tool === '*' ? words.everyTool : <Mono text={tool} />}
      <span className="text-[13px] text-soft">
        {server_id === '*' ? words.everyServer : words.ofServer(server_id)}
      </span>
    </span>
  )
}
