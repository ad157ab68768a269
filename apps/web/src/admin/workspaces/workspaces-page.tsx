import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient, useMe } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { useSettings } from '../../api/use-choices.ts'
import { Details } from '../../ui/details.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { WorkspaceList } from './workspace-list.tsx'
import { workspacesWords } from './workspaces-words.ts'

/** The caller's workspace, what holds for everyone's, and how full each is. */
export function WorkspacesPage() {
  const words = useWords(workspacesWords)
  const { sections } = useWords(adminWords)
  return (
    <Page title={sections.workspaces} about={words.about}>
      <div className="grid gap-4 md:grid-cols-2">
        <Own />
        <Rules />
      </div>
      <WorkspaceList />
      <p className="text-[13px] text-soft">{words.private}</p>
    </Page>
  )
}

function useWorkspace() {
  const client = useClient()
  return useQuery({
    queryKey: ['workspace'],
    queryFn: ({ signal }) => client.files.workspace({ signal }),
  })
}

function Own() {
  const words = useWords(workspacesWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  return (
    <Panel title={words.own}>
      <QueryView query={useWorkspace()}>
        {({ status, bytes, quota_bytes, left_bytes, files, dirs }) => (
          <>
            <Meter
              label={words.own}
              value={bytes}
              max={quota_bytes}
              text={words.used(formats.bytes(bytes), formats.bytes(quota_bytes))}
            />
            <Details
              rows={[
                [common.state, words.status[status]],
                [words.files, formats.number(files)],
                [words.folders, formats.number(dirs)],
                [words.left, formats.bytes(left_bytes)],
              ]}
            />
            <Link to="/files" className="text-sm text-accent underline">
              {words.toFiles}
            </Link>
          </>
        )}
      </QueryView>
    </Panel>
  )
}

function Rules() {
  const words = useWords(workspacesWords)
  const formats = useFormats()
  const { role } = useMe()
  const quota = useWorkspace().data?.quota_bytes
  const settings = useSettings()
  const days = settings.data?.settings.find(({ name }) => name === 'workspace_archive_days')?.value
  return (
    <Panel title={words.rules}>
      <Details
        rows={[
          [
            words.quota,
            <span key="quota">
              {quota === undefined ? '…' : formats.bytes(quota)}
              <span className="block text-[13px] text-soft">
                {words.quotaAbout}{' '}
                {role === 'platform_admin' && (
                  <Link to="/admin/tenants" className="text-accent underline">
                    {words.toTenants}
                  </Link>
                )}
              </span>
            </span>,
          ],
          [
            words.archive,
            <span key="archive">
              {typeof days === 'number' && words.archiveDays(formats.number(days))}
              {settings.isError && words.unknown}
              <span className="block text-[13px] text-soft">{words.archiveAbout}</span>
            </span>,
          ],
        ]}
      />
    </Panel>
  )
}
