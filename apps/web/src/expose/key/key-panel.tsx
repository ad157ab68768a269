import type { ToolGroupInfo, ToolGroupWithKey } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { maskedKey } from '../connect/snippets.ts'
import { KeyDot } from '../group-table.tsx'
import { toKeyState } from '../key-state.ts'
import { useRefresh } from '../use-groups.ts'
import { keyWords } from './key-words.ts'
import { NewKey } from './new-key.tsx'
import { RotateDialog } from './rotate-dialog.tsx'

/** The key of a group: masked, copied, rotated, revoked. */
export function KeyPanel({ group }: { group: ToolGroupInfo }) {
  const words = useWords(keyWords)
  const client = useClient()
  const refresh = useRefresh()
  const toaster = useToaster()
  const toProblem = useProblem()
  const [open, setOpen] = useState<'rotate' | 'revoke'>()
  const [made, setMade] = useState<ToolGroupWithKey>()
  const { key, group_id } = group
  const state = toKeyState(group, Date.now())
  const isActive = state === 'active' || state === 'ending'

  async function revoke() {
    await client.toolGroups.revokeKey(group_id)
    toaster.done(words.revoked)
    await refresh()
  }

  return (
    <Panel
      title={words.title}
      about={words.about}
      actions={
        <>
          <Button size="small" onClick={() => setOpen('rotate')}>
            {isActive ? words.rotate : words.make}
          </Button>
          {isActive && (
            <Button size="small" kind="danger" onClick={() => setOpen('revoke')}>
              {words.revoke}
            </Button>
          )}
        </>
      }
    >
      {isActive && <MaskedKey group={group} />}
      <KeyFacts group={group} />
      {isActive && key && !key.can_copy && (
        <p className="text-[13px] text-soft">{words.cannotCopy}</p>
      )}
      {open === 'rotate' && (
        <RotateDialog
          {...{ group, isActive }}
          onRotated={setMade}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'revoke' && (
        <Confirm
          title={words.revokeTitle}
          action={words.revoke}
          onConfirm={revoke}
          onClose={() => setOpen(undefined)}
          toProblem={toProblem}
        >
          <p>{words.revokeAbout}</p>
        </Confirm>
      )}
      {made && <NewKey made={made} isRotated onClose={() => setMade(undefined)} />}
    </Panel>
  )
}

function MaskedKey({ group: { key, group_id } }: { group: ToolGroupInfo }) {
  const words = useWords(keyWords)
  const client = useClient()
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-back py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 truncate">{maskedKey}</code>
      {key?.can_copy && (
        <CopyButton
          kind="plain"
          title={words.copyAbout}
          text={async () => (await client.toolGroups.copyKey(group_id)).key}
          label={words.copy}
        />
      )}
    </div>
  )
}

function KeyFacts({ group }: { group: ToolGroupInfo }) {
  const words = useWords(keyWords)
  const formats = useFormats()
  const { key } = group
  const previous = key?.previous_until ?? 0
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-[13px] text-soft">
      <KeyDot group={group} />
      {key && (
        <>
          <span>
            {words.created} {formats.time(key.created_at)}
          </span>
          <span>
            {key.expires_at === null ? words.never : words.expires(formats.time(key.expires_at))}
          </span>
        </>
      )}
      {previous > Date.now() && (
        <span className="text-wait">{words.previous(formats.time(previous))}</span>
      )}
    </div>
  )
}
