import type { ToolGroupInfo } from '@dataagent/schema'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWords } from '../../words/use-words.ts'
import { connectWords } from './connect-words.ts'
import { addressesOf } from './snippets.ts'

const kinds = ['group', 'any', 'sse', 'jsonrpc'] as const

/** Where the group is reached. */
export function AddressPanel({ group }: { group: ToolGroupInfo }) {
  const words = useWords(connectWords)
  const addresses = addressesOf(group)
  const { origin } = new URL(addresses.group)
  return (
    <Panel title={words.addresses} about={words.addressesAbout}>
      <dl className="grid grid-cols-1 gap-x-4 gap-y-1.5 text-sm md:grid-cols-[15rem_1fr]">
        {kinds.map((kind) => (
          <div key={kind} className="contents">
            <dt className="text-soft md:py-1">{words.urls[kind]}</dt>
            <dd className="flex min-w-0 items-center gap-2 rounded-lg border border-line bg-back pl-3">
              <code className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">
                {addresses[kind]}
              </code>
              <CopyButton text={addresses[kind]} aria-label={words.copyUrl(words.urls[kind])} />
            </dd>
          </div>
        ))}
      </dl>
      {origin !== location.origin && <Notice>{words.elsewhere(origin)}</Notice>}
    </Panel>
  )
}
