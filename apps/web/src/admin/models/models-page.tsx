import type { ProviderInfo } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Mono } from '../../ui/details.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWords } from '../../words/use-words.ts'
import { AddButton } from '../add-button.tsx'
import { adminWords } from '../admin-words.ts'
import { EnvCard } from './env-card.tsx'
import { modelsWords } from './models-words.ts'
import { ProviderCard } from './provider-card.tsx'
import { ProviderForm } from './provider-form.tsx'

/** Model providers, and the models that agents may be given. */
export function ModelsPage() {
  const words = useWords(modelsWords)
  const { sections } = useWords(adminWords)
  const client = useClient()
  const [open, setOpen] = useState<'new' | ProviderInfo>()
  const query = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => client.modelProviders.list({ signal }),
  })
  const add = <AddButton label={words.add} onClick={() => setOpen('new')} />
  return (
    <Page title={sections.models} about={words.about} actions={add}>
      <Panel title={words.providers} about={words.providersAbout}>
        <QueryView query={query}>
          {({ providers }) =>
            providers.length === 0 ? (
              <Empty title={words.empty}>{words.emptyAbout}</Empty>
            ) : (
              <ul className="flex flex-col gap-3">
                {providers.map((provider) => (
                  <ProviderCard
                    key={`${provider.scope}/${provider.provider_id}`}
                    provider={provider}
                    onEdit={() => setOpen(provider)}
                  />
                ))}
              </ul>
            )
          }
        </QueryView>
      </Panel>
      <div className="grid gap-5 md:grid-cols-2">
        <Choices />
        <EnvCard />
      </div>
      {open && (
        <ProviderForm
          provider={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  )
}

function Choices() {
  const words = useWords(modelsWords)
  const client = useClient()
  const query = useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => client.models.list({ signal }),
  })
  return (
    <Panel title={words.choices} about={words.choicesAbout}>
      <QueryView query={query}>
        {({ models }) =>
          models.length === 0 ? (
            <p className="text-sm text-soft">{words.choicesEmpty}</p>
          ) : (
            <ul className="flex flex-col gap-1">
              {models.map(({ model, is_default }) => (
                <li key={model} className="flex items-center gap-2">
                  <Mono text={model} />
                  {is_default && <Badge tone="accent">{words.isDefault}</Badge>}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  )
}
