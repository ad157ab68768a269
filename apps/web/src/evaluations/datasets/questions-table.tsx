import type { Question } from '@dataagent/schema'
import { Pencil, Trash2 } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Mono } from '../../ui/details.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { datasetsWords } from './datasets-words.ts'

interface QuestionsTableProps {
  questions: readonly Question[]
  /** Undefined where they may only be read. */
  onEdit: ((question: Question) => void) | undefined
  onDelete: ((question: Question) => void) | undefined
}

export function QuestionsTable({ questions, onEdit, onDelete }: QuestionsTableProps) {
  const words = useWords(datasetsWords)
  const common = useWords(evaluationsWords)
  const columns: Column<Question>[] = [
    { name: 'id', head: words.id, cell: ({ question_id }) => <Mono text={question_id} /> },
    {
      ...{ name: 'question', head: words.question, className: 'min-w-56 max-w-96' },
      cell: ({ question }) => (
        <p className="line-clamp-3 [overflow-wrap:anywhere]">
          <PlainText text={question} />
        </p>
      ),
    },
    {
      ...{ name: 'expects', head: words.expects, className: 'min-w-44 max-w-80 text-soft' },
      cell: (question) => <Expected question={question} />,
    },
    { name: 'labels', head: words.category, cell: (question) => <Labels question={question} /> },
    {
      ...{ name: 'actions', head: <span className="sr-only">{common.actions}</span>, align: 'end' },
      cell: (question) =>
        onEdit && (
          <span className="-my-1.5 inline-flex">
            <IconButton
              size="small"
              label={words.editOf(question.question_id)}
              onClick={() => onEdit(question)}
            >
              <Pencil className="size-4" />
            </IconButton>
            {onDelete && (
              <IconButton
                size="small"
                label={common.deleteOf(question.question_id)}
                onClick={() => onDelete(question)}
              >
                <Trash2 className="size-4" />
              </IconButton>
            )}
          </span>
        ),
    },
  ]
  return (
    <Table
      caption={common.questions}
      columns={columns}
      rows={questions}
      keyOf={({ question_id }) => question_id}
    />
  )
}

function Expected({ question }: { question: Question }) {
  const words = useWords(datasetsWords)
  const { expected_keywords, expected_pattern, expected_tools, expected_sql } = question
  const all = [
    expected_keywords.length > 0 && words.hasKeywords(expected_keywords.join(', ')),
    expected_pattern !== null && words.hasPattern(expected_pattern),
    expected_tools.length > 0 && words.hasTools(expected_tools.join(', ')),
    expected_sql !== null && words.hasSql,
  ].filter((text) => text !== false)
  if (all.length === 0) return words.nothing
  return (
    <ul className="flex flex-col gap-0.5">
      {all.map((text) => (
        <li key={text} className="line-clamp-2 [overflow-wrap:anywhere]">
          <PlainText text={text} />
        </li>
      ))}
    </ul>
  )
}

function Labels({ question: { category, difficulty, tags } }: { question: Question }) {
  const labels = [category, difficulty, ...tags].filter((label) => label !== null)
  return (
    <span className="flex flex-wrap gap-1">
      {[...new Set(labels)].map((label) => (
        <Badge key={label}>
          <PlainText text={label} />
        </Badge>
      ))}
    </span>
  )
}
