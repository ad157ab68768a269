import { defineWords } from '../words/words.ts'

export const helpWords = defineWords({
  en: {
    title: 'Keys and help',
    keys: [
      ['Ctrl K', 'Search or jump to anything'],
      ['Ctrl Shift O', 'New chat'],
      ['Ctrl B', 'List of chats'],
      ['Ctrl .', 'Plan, results, files and trace'],
      ['Enter', 'Send; while the agent works: queue'],
      ['Shift Enter', 'New line'],
      ['Ctrl Enter', 'While the agent works: stop it and say this now'],
      ['Esc', 'Go to what waits for your approval; else stop the agent'],
      ['↑', 'In an empty box: edit your last message'],
      ['Y / N', 'On an approval: allow once / reject'],
      ['J / K', 'In lists: next / previous'],
      ['?', 'This page'],
    ] as readonly (readonly [string, string])[],
    tour: 'Take the tour',
    api: 'The API, with a description of every route',
  },
  zh: {
    title: '快捷键与帮助',
    keys: [
      ['Ctrl K', '搜索或跳转到任意位置'],
      ['Ctrl Shift O', '新对话'],
      ['Ctrl B', '对话列表'],
      ['Ctrl .', '计划、结果、文件与轨迹'],
      ['Enter', '发送；智能体工作时：排队'],
      ['Shift Enter', '换行'],
      ['Ctrl Enter', '智能体工作时：停止并立即发送这条'],
      ['Esc', '前往等待你审批的调用；没有时停止智能体'],
      ['↑', '输入框为空时：编辑上一条消息'],
      ['Y / N', '在审批上：允许一次 / 拒绝'],
      ['J / K', '在列表中：下一项 / 上一项'],
      ['?', '本页面'],
    ] as readonly (readonly [string, string])[],
    tour: '开始导览',
    api: 'API 文档（含每个接口说明）',
  },
})
