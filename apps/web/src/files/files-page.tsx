import { isClientError } from '@dataagent/client'
import type { FileInfo } from '@dataagent/schema'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FolderOpen, Upload as UploadIcon } from 'lucide-react'
import { useState } from 'react'
import { QueryView } from '../api/query-view.tsx'
import { Empty, Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { useWords } from '../words/use-words.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { DeleteFile } from './delete-file.tsx'
import { FileTable } from './file-table.tsx'
import { filesWords } from './files-words.ts'
import { nameOf } from './paths.ts'
import { PreviewDialog } from './preview/preview-dialog.tsx'
import { QuotaBar } from './quota-bar.tsx'
import { ReplaceFiles } from './upload/replace-files.tsx'
import { UploadButton } from './upload/upload-button.tsx'
import { UploadList } from './upload/upload-list.tsx'
import { useDrop } from './upload/use-drop.ts'
import { useUploads } from './upload/use-uploads.ts'
import { useDownload } from './use-download.ts'
import { useFolder } from './use-files.ts'

const route = getRouteApi('/files')

/** The caller's workspace, folder by folder. */
export function FilesPage() {
  const words = useWords(filesWords)
  const { path, open } = route.useSearch()
  const navigate = route.useNavigate()
  const folder = useFolder(path)
  const { uploads, add, again, clear } = useUploads()
  const download = useDownload()
  const [deleting, setDeleting] = useState<FileInfo>()
  const [replacing, setReplacing] = useState<readonly File[]>()
  const drop = useDrop(take)
  const entries = folder.data?.entries ?? []
  const opened = entries.find((file) => file.path === open && file.kind === 'file')

  /** What would replace something is asked about first; what is not listed, when it is sent. */
  function take(files: readonly File[]) {
    const names = new Set(entries.map((entry) => nameOf(entry.path)))
    if (files.some(({ name }) => names.has(name))) setReplacing(files)
    else add(files, path)
  }

  const show = (file: FileInfo | undefined) =>
    void navigate({
      search: { ...(path !== undefined && { path }), ...(file && { open: file.path }) },
      replace: true,
    })

  if (isClientError(folder.error, 'forbidden')) {
    return (
      <Page title={words.title}>
        <Notice title={words.forbidden}>{words.forbiddenAbout}</Notice>
      </Page>
    )
  }
  return (
    <div {...drop.handlers} className="relative min-h-full">
      <Page title={words.title} about={words.about} actions={<UploadButton onFiles={take} />}>
        <QuotaBar />
        <UploadList uploads={uploads} onAgain={again} onClear={clear} />
        <Breadcrumbs path={path} />
        {isClientError(folder.error, 'not_found') && !folder.data ? (
          <NoFolder />
        ) : (
          <QueryView query={folder}>
            {({ truncated }) =>
              entries.length === 0 ? (
                <Empty
                  icon={<FolderOpen />}
                  title={path === undefined ? words.emptyHome : words.empty}
                  action={<UploadButton onFiles={take} />}
                >
                  {words.emptyAbout}
                </Empty>
              ) : (
                <>
                  <FileTable
                    entries={entries}
                    onOpen={show}
                    onDownload={download}
                    onDelete={setDeleting}
                  />
                  {truncated && <Notice>{words.truncated}</Notice>}
                </>
              )
            }
          </QueryView>
        )}
      </Page>
      {drop.isOver && <DropHint folder={path} />}
      {opened && (
        <PreviewDialog
          file={opened}
          onDownload={() => download(opened)}
          onClose={() => show(undefined)}
        />
      )}
      {deleting && <DeleteFile file={deleting} onClose={() => setDeleting(undefined)} />}
      {replacing && (
        <ReplaceFiles
          files={replacing}
          entries={entries}
          onReplace={() => add(replacing, path, true)}
          onClose={() => setReplacing(undefined)}
        />
      )}
    </div>
  )
}

function DropHint({ folder }: { folder: string | undefined }) {
  const words = useWords(filesWords)
  return (
    <div className="pointer-events-none absolute inset-2 z-20 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft/80">
      <p className="flex flex-col items-center gap-2 text-lg font-semibold text-accent">
        <UploadIcon aria-hidden="true" className="size-8" />
        {words.drop}
        <span className="text-sm font-normal">{words.dropTo(folder ?? words.home)}</span>
      </p>
    </div>
  )
}

function NoFolder() {
  const words = useWords(filesWords)
  return (
    <Empty
      icon={<FolderOpen />}
      title={words.gone}
      action={
        <Link to="/files" search={{}} className="text-sm text-accent underline">
          {words.toHome}
        </Link>
      }
    />
  )
}
