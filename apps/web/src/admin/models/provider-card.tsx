import type { ProviderInfo, ProviderTest } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient, useMe } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { useAct } from '../../api/use-act.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Details, Mono, NameAndId } from '../../ui/details.tsx'
import { Switch } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { modelsWords } from './models-words.ts'

interface ProviderCardProps {
  provider: ProviderInfo
  onEdit(): void
}

/** One provider, with what can be done to it. Those of the platform are managed by its own. */
export function ProviderCard({ provider, onEdit }: ProviderCardProps) {
  const words = useWords(modelsWords)
  const common = useWords(adminWords)
  const client = useClient()
  const queries = useQueryClient()
  const { role } = useMe()
  const isMine = provider.scope === 'tenant' || role === 'platform_admin'
  const [isAsked, setAsked] = useState(false)
  const [tested, setTested] = useState<ProviderTest>()
  const { act, busy } = useAct()
  const { provider_id, name, kind, scope, base_url, models, api_key, enabled } = provider

  return (
    <li className="flex flex-col gap-3 rounded-xl border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <span className="flex items-start gap-2">
          <NameAndId name={name} id={provider_id} />
          <Badge tone={scope === 'platform' ? 'info' : 'plain'}>{words.scopes[scope]}</Badge>
        </span>
        {isMine && (
          <span className="flex flex-wrap items-center gap-2">
            <Button
              size="small"
              busy={busy === 'test'}
              onClick={() =>
                act({
                  name: 'test',
                  work: async () => setTested(await client.modelProviders.test(provider_id)),
                })
              }
            >
              {words.test}
            </Button>
            <Button size="small" onClick={onEdit}>
              {common.edit}
            </Button>
            <Button size="small" kind="danger" onClick={() => setAsked(true)}>
              {common.remove}
            </Button>
            <Switch
              label={<span className="sr-only">{`${name}: ${common.enabled}`}</span>}
              checked={enabled}
              disabled={busy === 'enable'}
              onChange={(next) =>
                act({
                  ...{ name: 'enable', done: common.saved, reload: ['providers'] },
                  work: async () => {
                    await client.modelProviders.update(provider_id, { enabled: next })
                    await queries.invalidateQueries({ queryKey: ['models'] })
                  },
                })
              }
            />
          </span>
        )}
      </div>
      <Details
        rows={[
          [common.state, enabled ? common.enabled : common.disabled],
          [words.kind, words.kinds[kind]],
          [words.baseUrl, base_url !== null && <Mono text={base_url} />],
          [words.key, api_key === null ? words.keyNone : words.keySet(api_key.last4)],
          [words.models, <Mono key="models" text={models.join(', ')} />],
        ]}
      />
      {tested && <TestResult tested={tested} />}
      {isAsked && (
        <ConfirmAct
          title={words.removeTitle(name)}
          action={common.remove}
          work={() => client.modelProviders.delete(provider_id)}
          done={words.removed}
          reload={[['providers'], ['models']]}
          onClose={() => setAsked(false)}
        >
          <p>{words.removeAbout}</p>
        </ConfirmAct>
      )}
    </li>
  )
}

function TestResult({ tested: { ok, ms, model, message } }: { tested: ProviderTest }) {
  const words = useWords(modelsWords)
  const formats = useFormats()
  if (ok) return <Notice tone="good">{words.testOk(model, formats.duration(ms))}</Notice>
  return (
    <Notice tone="bad" title={words.testFailed(model)}>
      {message !== undefined && <PlainText text={message.slice(0, 2000)} />}
    </Notice>
  )
}
