import { isClientError } from '@dataagent/client'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { useSettings } from '../../api/use-choices.ts'
import { StateDot } from '../../ui/badge.tsx'
import { Details, Mono } from '../../ui/details.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { DependencyList } from './dependency-list.tsx'
import { SettingsTable } from './settings-table.tsx'
import { systemWords } from './system-words.ts'

/** Version, health, and every setting with where it comes from. */
export function SystemPage() {
  const words = useWords(systemWords)
  const { sections } = useWords(adminWords)
  const settings = useSettings()
  return (
    <Page title={sections.system} about={words.about}>
      <div className="grid gap-4 md:grid-cols-2">
        <Server />
        <Panel title={words.dependencies}>
          <DependencyList />
        </Panel>
      </div>
      <Panel title={words.settings}>
        {isClientError(settings.error, 'forbidden') ? (
          <Notice>{words.forbidden}</Notice>
        ) : (
          <QueryView query={settings}>
            {(list) => <SettingsTable settings={list.settings} />}
          </QueryView>
        )}
      </Panel>
    </Page>
  )
}

function Server() {
  const words = useWords(systemWords)
  const formats = useFormats()
  const client = useClient()
  const query = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => client.operations.health({ signal }),
    refetchInterval: 10_000,
  })
  return (
    <Panel title={words.server}>
      <QueryView query={query}>
        {({ status, version, uptime }) => (
          <Details
            rows={[
              [
                words.health,
                <StateDot
                  key="health"
                  tone={status === 'ok' ? 'good' : 'wait'}
                  text={words.healths[status]}
                />,
              ],
              [words.version, <Mono key="version" text={version} />],
              [words.uptime, formats.duration(uptime * 1000)],
              [words.licence, 'Apache-2.0'],
              [
                words.apiDocs,
                <a
                  key="docs"
                  href="/api/v1/docs"
                  target="_blank"
                  rel="noopener"
                  className="text-accent underline"
                >
                  /api/v1/docs
                </a>,
              ],
            ]}
          />
        )}
      </QueryView>
    </Panel>
  )
}
