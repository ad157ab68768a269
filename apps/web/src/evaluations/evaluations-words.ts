import type { EvaluationState, TrialStatus } from '@dataagent/schema'
import { defineWords } from '../words/words.ts'

const states: Record<EvaluationState, string> = {
  queued: 'Queued',
  running: 'Running',
  done: 'Done',
  interrupted: 'Interrupted',
  cancelled: 'Stopped',
  error: 'Failed to run',
}

const statuses: Record<TrialStatus | 'waiting', string> = {
  passed: 'Passed',
  failed: 'Failed',
  error: 'Error',
  timeout: 'Timed out',
  waiting: 'Not asked yet',
}

/** What the lists, and the pages of one set and one run, share. */
export const evaluationsWords = defineWords({
  en: {
    title: 'Evaluations',
    about:
      'Put a set of questions to an agent, see how many answers are right, and whether a change made it better or worse.',
    tabs: 'Parts of the evaluations',
    datasets: 'Question sets',
    runs: 'Runs',
    back: 'Evaluations',
    name: 'Name',
    questions: 'Questions',
    owner: 'By',
    changed: 'Changed',
    actions: 'Actions',
    start: 'Run',
    startOf: (name: string) => `Run ${name}`,
    download: 'Download',
    delete: 'Delete',
    deleteOf: (name: string) => `Delete ${name}`,
    save: 'Save',
    saved: 'Saved.',
    gone: 'There is no such evaluation.',
    goneAbout: 'It was deleted, or it is not yours to see.',
    states,
    statuses,
  },
  zh: {
    title: '评测',
    about: '把一组题目交给智能体回答，看答对多少，以及一次改动让它变好还是变差。',
    tabs: '评测的各部分',
    datasets: '题集',
    runs: '运行',
    back: '评测',
    name: '名称',
    questions: '题目',
    owner: '创建者',
    changed: '修改时间',
    actions: '操作',
    start: '运行',
    startOf: (name: string) => `运行 ${name}`,
    download: '下载',
    delete: '删除',
    deleteOf: (name: string) => `删除 ${name}`,
    save: '保存',
    saved: '已保存。',
    gone: '没有这个评测。',
    goneAbout: '它已被删除，或者你无权查看。',
    states: {
      queued: '排队中',
      running: '运行中',
      done: '已完成',
      interrupted: '已中断',
      cancelled: '已停止',
      error: '无法运行',
    },
    statuses: {
      passed: '通过',
      failed: '未通过',
      error: '出错',
      timeout: '超时',
      waiting: '尚未提问',
    },
  },
})
