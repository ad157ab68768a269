import type { ToolGroupInfo } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { Choice } from '../../ui/choice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWords } from '../../words/use-words.ts'
import { KeyPanel } from '../key/key-panel.tsx'
import { toKeyState } from '../key-state.ts'
import { AddressPanel } from './addresses.tsx'
import { connectWords } from './connect-words.ts'
import { DifyFields } from './dify-fields.tsx'
import { Snippet } from './snippet.tsx'
import { isCommand, type Program, programs, toSnippet, type Way } from './snippets.ts'

/** Key, addresses, and what to put into each program. */
export function ConnectTab({ group }: { group: ToolGroupInfo }) {
  const words = useWords(connectWords)
  return (
    <div className="flex flex-col gap-4">
      {!group.enabled && <Notice tone="wait">{words.disabled}</Notice>}
      <KeyPanel group={group} />
      <AddressPanel group={group} />
      <Programs group={group} />
    </div>
  )
}

function Programs({ group }: { group: ToolGroupInfo }) {
  const words = useWords(connectWords)
  const client = useClient()
  const [program, setProgram] = useState<Program>('dify')
  const [chosen, setWay] = useState<Way>('sign_in')
  const way = isCommand(program) ? 'key' : chosen
  const getKey = group.key?.can_copy
    ? async () => (await client.toolGroups.copyKey(group.group_id)).key
    : undefined
  return (
    <Panel title={words.title} about={words.about}>
      <Choice
        label={words.program}
        values={programs}
        value={program}
        texts={words.programs}
        onChange={setProgram}
      />
      {isCommand(program) ? (
        <p className="text-[13px] text-soft">{words.commandKey}</p>
      ) : (
        <Choice
          label={words.way}
          values={['sign_in', 'key'] as const}
          value={way}
          texts={words.ways}
          onChange={setWay}
        />
      )}
      <p className="text-[13px] text-soft">{aboutWay()}</p>
      {program === 'dify' ? (
        <DifyFields {...{ group, way, getKey }} />
      ) : (
        <Snippet
          label={words.where[program]}
          text={toSnippet(program, { group, way })}
          getKey={getKey}
        />
      )}
    </Panel>
  )

  function aboutWay(): string {
    if (way === 'sign_in') return words.signInAbout
    if (!['active', 'ending'].includes(toKeyState(group, Date.now()))) return words.keyGone
    if (program === 'vscode') return words.vscodeKey
    return getKey ? words.keyAbout : words.keyWritten
  }
}
