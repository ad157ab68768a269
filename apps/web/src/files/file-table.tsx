import type { FileInfo } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { Download, File, FileQuestion, Folder, Link2, Trash2 } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { filesWords } from './files-words.ts'
import { nameOf } from './paths.ts'

interface FileTableProps {
  entries: readonly FileInfo[]
  onOpen(file: FileInfo): void
  onDownload(file: FileInfo): void
  onDelete(file: FileInfo): void
}

const icons = { file: File, dir: Folder, link: Link2, other: FileQuestion }

/** What is in a folder: folders first. */
export function FileTable({ entries, onOpen, onDownload, onDelete }: FileTableProps) {
  const words = useWords(filesWords)
  const formats = useFormats()
  const rows = entries.toSorted((a, b) => Number(b.kind === 'dir') - Number(a.kind === 'dir'))
  const columns: Column<FileInfo>[] = [
    {
      name: 'name',
      head: words.name,
      className: 'min-w-44',
      cell: (file) => <Name file={file} onOpen={() => onOpen(file)} />,
    },
    {
      name: 'size',
      head: words.size,
      align: 'end',
      className: 'whitespace-nowrap',
      cell: ({ kind, size }) => (kind === 'file' ? formats.bytes(size) : '—'),
    },
    {
      name: 'modified',
      head: words.modified,
      className: 'whitespace-nowrap text-soft',
      cell: ({ modified_at }) => formats.time(modified_at),
    },
    {
      name: 'actions',
      head: <span className="sr-only">{words.actions}</span>,
      align: 'end',
      cell: (file) => {
        const name = nameOf(file.path)
        return (
          <span className="-my-1.5 inline-flex">
            {file.kind === 'file' && (
              <IconButton
                size="small"
                label={words.downloadOne(name)}
                onClick={() => onDownload(file)}
              >
                <Download className="size-4" />
              </IconButton>
            )}
            <IconButton size="small" label={words.deleteOne(name)} onClick={() => onDelete(file)}>
              <Trash2 className="size-4" />
            </IconButton>
          </span>
        )
      },
    },
  ]
  return <Table caption={words.list} columns={columns} rows={rows} keyOf={({ path }) => path} />
}

function Name({ file, onOpen }: { file: FileInfo; onOpen(): void }) {
  const words = useWords(filesWords)
  const Icon = icons[file.kind]
  const content = (
    <>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-soft" />
      <span className="sr-only">{words.kinds[file.kind]} </span>
      <span className="[overflow-wrap:anywhere]">
        <PlainText text={nameOf(file.path)} />
      </span>
    </>
  )
  const className = 'inline-flex items-start gap-2 text-left'
  if (file.kind === 'dir') {
    return (
      <Link
        to="/files"
        search={{ path: file.path }}
        className={`${className} font-medium text-accent hover:underline`}
      >
        {content}
      </Link>
    )
  }
  if (file.kind !== 'file') return <span className={className}>{content}</span>
  return (
    <button type="button" onClick={onOpen} className={`${className} hover:text-accent`}>
      {content}
    </button>
  )
}
