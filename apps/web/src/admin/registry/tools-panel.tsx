import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Wrench } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { useServerChoices } from '../../api/use-choices.ts'
import { SelectField } from '../../ui/field.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { CsvButton } from '../csv-button.tsx'
import type { RegistrySearch } from '../searches.ts'
import { registryWords } from './registry-words.ts'
import { ToolsTable } from './tools-table.tsx'
import { registryToolsWords } from './tools-words.ts'

const limit = 50
const offers = ['offered', 'withheld', 'unavailable'] as const
const csvColumns = [
  ...(['sdk_name', 'server_id', 'scope', 'user_id', 'title', 'description'] as const),
  ...(['annotations', 'offer', 'verdict', 'tokens', 'version', 'seen_at'] as const),
]

/** Every tool of the tenant. */
export function ToolsPanel() {
  const words = useWords(registryToolsWords)
  const client = useClient()
  const [{ q, server: server_id, offset = 0, ...search }, change] = useAddress<RegistrySearch>()
  const offer = offers.find((each) => each === search.offer)
  const filters = { q, server_id, offer }
  const query = useQuery({
    queryKey: ['tools', 'registry', filters, offset],
    queryFn: ({ signal }) => client.tools.registry({ ...filters, limit, offset }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-sm text-soft">{words.about}</p>
      <Filters />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SearchField
          label={words.search}
          value={q ?? ''}
          onChange={(text) => change({ q: text || undefined, offset: undefined })}
        />
        <CsvButton
          {...{ name: 'tools', columns: csvColumns }}
          load={async (page, options) => {
            const { tools, total } = await client.tools.registry({ ...filters, ...page }, options)
            return { rows: tools, total }
          }}
        />
      </div>
      <QueryView query={query}>
        {({ tools, total }) => (
          <>
            {tools.length === 0 ? (
              <NoTools isFiltered={isFiltered} />
            ) : (
              <ToolsTable tools={tools} />
            )}
            <Pager
              {...{ offset, limit, total, count: tools.length }}
              onChange={(next) => change({ offset: next || undefined })}
            />
          </>
        )}
      </QueryView>
    </div>
  )
}

function Filters() {
  const words = useWords(registryToolsWords)
  const common = useWords(adminWords)
  const servers = useServerChoices()
  const [{ server, offer }, change] = useAddress<RegistrySearch>()
  return (
    <div className="flex flex-wrap gap-3">
      <SelectField
        label={common.server}
        value={server ?? ''}
        onChange={(event) => change({ server: event.target.value || undefined, offset: undefined })}
      >
        <option value="">{words.allServers}</option>
        {servers.data?.servers.map(({ server_id, name }) => (
          <option key={server_id} value={server_id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={common.state}
        value={offer ?? ''}
        onChange={(event) => change({ offer: event.target.value || undefined, offset: undefined })}
      >
        <option value="">{words.allOffers}</option>
        {offers.map((each) => (
          <option key={each} value={each}>
            {words.offers[each]}
          </option>
        ))}
      </SelectField>
    </div>
  )
}

function NoTools({ isFiltered }: { isFiltered: boolean }) {
  const words = useWords(registryToolsWords)
  const { addServer } = useWords(registryWords)
  if (isFiltered) return <Empty icon={<Wrench />} title={words.noMatch} />
  return (
    <Empty
      icon={<Wrench />}
      title={words.empty}
      action={
        <Link to="/tools" className="text-sm text-accent underline">
          {addServer}
        </Link>
      }
    >
      {words.emptyAbout}
    </Empty>
  )
}
