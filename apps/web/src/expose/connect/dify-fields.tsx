import type { ToolGroupInfo } from '@dataagent/schema'
import { useWords } from '../../words/use-words.ts'
import { connectWords } from './connect-words.ts'
import { Snippet } from './snippet.tsx'
import { addressesOf, maskedKey, type Way } from './snippets.ts'

interface DifyFieldsProps {
  group: ToolGroupInfo
  way: Way
  getKey: (() => Promise<string>) | undefined
}

/** What is entered in Dify, field by field. */
export function DifyFields({ group, way, getKey }: DifyFieldsProps) {
  const words = useWords(connectWords)
  const { dify } = words
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>{dify.where}</p>
      <Snippet label={dify.url} text={addressesOf(group).any} />
      <div className="grid gap-2 sm:grid-cols-2">
        <Snippet label={dify.name} text={group.name} />
        <Snippet label={dify.identifier} text={group.group_id} />
      </div>
      {way === 'sign_in' ? (
        <>
          <p className="text-soft">
            {dify.registration}: {dify.on}
          </p>
          <p>{dify.signIn}</p>
        </>
      ) : (
        <>
          <p>{dify.key}</p>
          <Snippet label={dify.header} text={`Bearer ${maskedKey}`} getKey={getKey} />
        </>
      )}
      <p className="text-[13px] text-soft">{dify.self}</p>
    </div>
  )
}
