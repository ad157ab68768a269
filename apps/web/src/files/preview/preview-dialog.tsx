import type { FileInfo } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useMemo } from 'react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import { DataTable } from '../../results/data-table.tsx'
import { JsonView } from '../../results/json-view.tsx'
import { Button } from '../../ui/button.tsx'
import { createLateView } from '../../ui/create-part.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { nameOf } from '../paths.ts'
import { kindOf, languageOf, previewMax } from './kind-of.ts'
import { parseCsv } from './parse-csv.ts'
import { previewWords } from './preview-words.ts'
import { type Preview, readPreview } from './read-preview.ts'

const CodeBlock = createLateView(() =>
  import('../../markdown/code-block.tsx').then(({ CodeBlock }) => CodeBlock),
)

interface PreviewDialogProps {
  file: FileInfo
  onDownload(): void
  onClose(): void
}

/** What is in a file, as far as it can be shown. */
export function PreviewDialog({ file, onDownload, onClose }: PreviewDialogProps) {
  const words = useWords(previewWords)
  const formats = useFormats()
  const facts = words.facts(formats.bytes(file.size), formats.time(file.modified_at))
  return (
    <Dialog
      size="wide"
      title={nameOf(file.path)}
      onClose={onClose}
      footer={
        <>
          <span className="basis-full self-center text-[13px] text-soft sm:flex-1 sm:basis-auto">
            {facts}
          </span>
          <Button icon={<Download aria-hidden="true" className="size-4" />} onClick={onDownload}>
            {words.download}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {words.close}
          </Button>
        </>
      }
    >
      <Content file={file} />
    </Dialog>
  )
}

function Content({ file }: { file: FileInfo }) {
  const words = useWords(previewWords)
  const formats = useFormats()
  const kind = kindOf(file.path)
  const max = previewMax[kind]
  if (kind === 'none') return <Notice>{words.none}</Notice>
  if (file.size === 0) return <Notice>{words.empty}</Notice>
  if (file.size > max) {
    return <Notice>{words.tooLarge(formats.bytes(file.size), formats.bytes(max))}</Notice>
  }
  return <Read file={file} />
}

function Read({ file }: { file: FileInfo }) {
  const client = useClient()
  const { path, modified_at, size } = file
  const query = useQuery({
    queryKey: ['files', 'content', path, modified_at, size],
    queryFn: ({ signal }) => readPreview(client, path, signal),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  return <QueryView query={query}>{(preview) => <Shown path={path} preview={preview} />}</QueryView>
}

function Shown({ path, preview }: { path: string; preview: Preview }) {
  const words = useWords(previewWords)
  if (preview.kind === 'binary') return <Notice>{words.binary}</Notice>
  if (preview.kind === 'image') {
    return (
      <img
        src={preview.src}
        alt={words.image(nameOf(path))}
        className="mx-auto max-h-[65dvh] max-w-full rounded-lg object-contain"
      />
    )
  }
  const { text } = preview
  switch (kindOf(path)) {
    case 'table':
      return <CsvTable path={path} text={text} />
    case 'markdown':
      return <Markdown text={text} />
    case 'json':
      return <Json text={text} />
    default:
      return <CodeBlock text={text} language={languageOf(path)} />
  }
}

function CsvTable({ path, text }: { path: string; text: string }) {
  const table = useMemo(() => parseCsv(text), [text])
  if (!table) return <CodeBlock text={text} />
  return <DataTable table={table} name={nameOf(path).replace(/\.[^.]*$/, '')} />
}

function Json({ text }: { text: string }) {
  const words = useWords(previewWords)
  const parsed = useMemo(() => parse(text), [text])
  if (parsed) return <JsonView value={parsed.value} />
  return (
    <div className="flex flex-col gap-2">
      <Notice tone="wait">{words.badJson}</Notice>
      <CodeBlock text={text} />
    </div>
  )
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
