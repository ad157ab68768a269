import type { DataSource } from '@dataagent/schema'
import { getRouteApi } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useClient, useIsAdmin, useMe } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { useAct } from '../../api/use-act.ts'
import { Badge, StateDot, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Switch } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { dataWords } from '../data-words.ts'
import { FaultNotice } from '../faults/fault-notice.tsx'
import { toSourceFault } from '../faults/to-fault.ts'
import { sourcesWords } from './sources-words.ts'
import { TableList } from './table-list.tsx'

const tones: Record<DataSource['status'], Tone> = { unknown: 'plain', ok: 'good', failing: 'bad' }
const route = getRouteApi('/data')

interface SourceCardProps {
  source: DataSource
  onEdit(): void
}

/** One source: how it is, what it holds, and what an administrator can do with it. */
export function SourceCard({ source, onEdit }: SourceCardProps) {
  const words = useWords(sourcesWords)
  const isAdmin = useIsAdmin()
  const { source: opened } = route.useSearch()
  const navigate = route.useNavigate()
  const { source_id, name, description, status_text, status, read_only, scope, enabled } = source
  const isOpen = opened === source_id
  const about = scope === 'user' ? words.ownAbout : description
  const { role } = useMe()
  const mayLook = enabled && role !== 'auditor'
  const flip = () =>
    void navigate({
      search: isOpen ? { tab: 'sources' } : { tab: 'sources', source: source_id },
      replace: true,
    })
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold [overflow-wrap:anywhere]">
            <PlainText text={name} />
          </h2>
          <State source={source} />
        </div>
        {isAdmin && scope === 'tenant' && <Actions source={source} onEdit={onEdit} />}
      </div>
      {about !== '' && (
        <p className="max-w-prose text-sm [overflow-wrap:anywhere]">
          <PlainText text={about} />
        </p>
      )}
      {status === 'failing' && enabled && <FaultNotice fault={toSourceFault(status_text)} />}
      {isAdmin && read_only === false && (
        <Notice tone="wait" title={words.writable}>
          {words.writableAbout}
        </Notice>
      )}
      {mayLook && (
        <div>
          <Button
            size="small"
            kind="quiet"
            aria-expanded={isOpen}
            aria-label={words.showTables(name)}
            icon={
              <ChevronRight
                aria-hidden="true"
                className={cx('size-4 transition-transform', isOpen && 'rotate-90')}
              />
            }
            onClick={flip}
          >
            {words.tables}
          </Button>
        </div>
      )}
      {isOpen && mayLook && <TableList source={source} />}
    </li>
  )
}

function State({ source }: { source: DataSource }) {
  const words = useWords(sourcesWords)
  const formats = useFormats()
  const { kind, status, read_only, checked_at, enabled, scope } = source
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-soft">
      <Badge>{words.kinds[kind]}</Badge>
      {scope === 'user' && <Badge tone="info">{words.own}</Badge>}
      {enabled ? (
        <StateDot tone={tones[status]} text={words.states[status]} />
      ) : (
        <StateDot tone="plain" text={words.disabled} />
      )}
      {read_only === true && <Badge tone="good">{words.readOnly}</Badge>}
      {read_only === false && (
        <span title={words.writableAbout}>
          <Badge tone="wait">{words.writable}</Badge>
        </span>
      )}
      {checked_at !== undefined && <span>{words.checked(formats.ago(checked_at))}</span>}
    </p>
  )
}

function Actions({ source: { source_id, name, enabled }, onEdit }: SourceCardProps) {
  const words = useWords(sourcesWords)
  const common = useWords(dataWords)
  const client = useClient()
  const toaster = useToaster()
  const { act, busy } = useAct()
  const [isAsked, setAsked] = useState(false)

  async function check() {
    const { status } = await client.data.checkSource(source_id)
    if (status === 'ok') toaster.done(words.checkOk)
    else toaster.failed(words.checkFailed)
  }

  return (
    <span className="flex flex-wrap items-center gap-2">
      <Button
        size="small"
        busy={busy === 'check'}
        onClick={() => act({ name: 'check', work: check, reload: ['data'] })}
      >
        {words.check}
      </Button>
      <Button size="small" onClick={onEdit}>
        {common.edit}
      </Button>
      <Button size="small" kind="danger" onClick={() => setAsked(true)}>
        {common.remove}
      </Button>
      <Switch
        label={<span className="sr-only">{words.enabled(name)}</span>}
        checked={enabled}
        disabled={busy === 'enable'}
        onChange={(next) =>
          act({
            ...{ name: 'enable', done: common.saved, reload: ['data'] },
            work: () => client.data.updateSource(source_id, { enabled: next }),
          })
        }
      />
      {isAsked && (
        <ConfirmAct
          title={words.removeTitle(name)}
          action={common.remove}
          work={() => client.data.deleteSource(source_id)}
          done={common.removed}
          reload={[['data']]}
          onClose={() => setAsked(false)}
        >
          <p>{words.removeAbout}</p>
        </ConfirmAct>
      )}
    </span>
  )
}
