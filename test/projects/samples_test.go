package projects

const pull7 = `{"prUrl":"https://github.com/acme/lighthouse/pull/7"}`

var samples = []sample{
	{
		dir:   "harbour-desk",
		env:   []string{"GITHUB_WEBHOOK_SECRET=of-the-harbour-and-its-hook"},
		notes: []string{"connection/peer agent/mcp-connections/yard.ts", "slot/shadowed agent/schedules/sweep.md", "storage/unused agent/storage.ts"},
		tools: []string{"queue_repair"},
		calls: []known{
			{tool: "queue_repair", args: `{"ticketId":"T-1","place":"the lamp"}`, prepared: "write", result: `{"repairId":"R-1","status":"pending"}`},
			{tool: "queue_repair", args: `{"ticketId":"T-2","place":"the quay"}`, prepared: "write", result: `{"repairId":"R-2","status":"pending"}`},
			{tool: "queue_repair", args: `{"ticketId":"T-2"}`, prepared: "invalid input: place: is required"},
		},
	},
	{dir: "yard"},
	{
		dir:   "night-bell",
		env:   []string{"BELL_CODE=four"},
		tools: []string{"bell__ring", "hours"},
		calls: []known{
			{tool: "bell__ring", args: `{"strokes":3}`, prepared: "write", result: `{"rang":3,"seal":"8a9c236a"}`},
			{tool: "bell__ring", args: `{"strokes":9}`, prepared: "write", result: "The bell takes 8 strokes at most."},
			{tool: "hours", args: `{}`, prepared: "read", result: `{"from":"22:00","to":"06:00"}`},
		},
	},
	{
		dir:   "pr-reviewer",
		tools: []string{"comment_on_pr", "inspect_pr", "list_checks", "list_prs", "merge_pr"},
		calls: []known{
			{tool: "list_prs", args: `{}`, prepared: "read", shape: true, result: `{"count":3}`},
			{tool: "inspect_pr", args: pull7, prepared: "read", result: `{"number":7,"title":"Dim the lamp at dawn","author":"mira","state":"open","files":["lamp/schedule.go","lamp/schedule_test.go"],"changed":68,"complexity":"low","obstacle":"none"}`},
			{tool: "inspect_pr", args: `{"prUrl":"https://github.com/a/b/issues/1"}`, prepared: "read", result: "Not a pull request URL: https://github.com/a/b/issues/1"},
			{tool: "inspect_pr", args: `{"prUrl":"https://github.com/acme/lighthouse/pull/8"}`, prepared: "read", result: "There is no pull request 8 in acme/lighthouse"},
			{tool: "inspect_pr", args: `{}`, prepared: "invalid input: prUrl: is required"},
			{tool: "list_checks", args: `{"prUrl":"https://github.com/acme/lighthouse/pull/9"}`, prepared: "read", shape: true, result: `{"number":9,"summary":"1 of 2 checks green"}`},
			{tool: "comment_on_pr", args: `{"prUrl":"https://github.com/acme/lighthouse/pull/9","body":"Split it, please."}`, prepared: "write", result: `{"number":9,"comments":1}`},
			{tool: "comment_on_pr", args: `{"prUrl":"https://github.com/acme/lighthouse/pull/9","body":"And test it."}`, prepared: "write", result: `{"number":9,"comments":2}`},
			{tool: "merge_pr", args: pull7, prepared: "write, asks", result: `{"number":7,"merged":true,"method":"squash"}`},
			{tool: "merge_pr", args: pull7, prepared: "write, asks", result: `{"number":7,"merged":true,"already":true}`},
			{tool: "merge_pr", args: `{"prUrl":"https://github.com/acme/lighthouse/pull/9"}`, prepared: "write, asks", result: "Pull request 9 cannot be merged: not green: test"},
			{tool: "merge_pr", args: `{"prUrl":"https://github.com/acme/lighthouse/pull/12","method":"rebase"}`, prepared: "write, asks", result: "Pull request 12 cannot be merged: it is a draft"},
			{tool: "inspect_pr", args: pull7, prepared: "read", shape: true, result: `{"state":"merged"}`},
			{tool: "list_prs", args: `{}`, prepared: "read", shape: true, result: `{"count":2}`},
		},
	},
	{
		dir:   "daily-ru",
		tools: []string{"forget_preference", "list_preferences", "plan_day", "remember_preference"},
		calls: []known{
			{tool: "list_preferences", args: `{}`, prepared: "read", result: `{"count":0,"items":[]}`},
			{tool: "remember_preference", args: `{"topic":"  Бюджет ","detail":"500 ₽ в день 🌲"}`, prepared: "write", result: `{"saved":true,"topic":"бюджет"}`},
			// й, typed as и and a combining breve, is the same topic.
			{tool: "remember_preference", args: "{\"topic\":\"чаи\u0306\",\"detail\":\"зелёный\"}", prepared: "write", result: `{"saved":true,"topic":"чай"}`},
			{tool: "remember_preference", args: `{"topic":"ЧАЙ","detail":"чёрный"}`, prepared: "write", result: `{"saved":true,"topic":"чай","replaced":"зелёный"}`},
			{tool: "remember_preference", args: `{"topic":"123","detail":"x"}`, prepared: `invalid input: topic: must match the pattern \p{L}`},
			{tool: "list_preferences", args: `{}`, prepared: "read", result: `{"count":2,"items":[{"topic":"бюджет","detail":"500 ₽ в день 🌲"},{"topic":"чай","detail":"чёрный"}]}`},
			{tool: "forget_preference", args: `{"topic":"сон"}`, prepared: "write", result: "О теме «сон» ничего не записано"},
			{tool: "forget_preference", args: `{"topic":"Бюджет"}`, prepared: "write", result: `{"forgotten":["бюджет"]}`},
			{tool: "forget_preference", args: `{"topic":"Всё"}`, prepared: "write, asks", result: `{"forgotten":["чай"]}`},
			{tool: "plan_day", args: `{"start":"09:30","tasks":[{"name":"Завтрак","minutes":30},{"name":"Ёлка","minutes":90}]}`, prepared: "read", result: `{"lines":["09:30–10:00 Завтрак","10:10–11:40 Ёлка"],"ends":"11:40"}`},
			{tool: "plan_day", args: `{"start":"23:00","tasks":[{"name":"Сон","minutes":480}]}`, prepared: "read", result: "«Сон» уже не помещается в этот день"},
			{tool: "plan_day", args: `{"start":"9:30","tasks":[]}`, prepared: `invalid input: start: must match the pattern ^([01]\d|2[0-3]):[0-5]\d$; tasks: must have at least 1 item, not 0`},
		},
	},
	{
		dir:   "reading-room",
		tools: []string{"cite_link", "describe_note", "lend_note", "search_notes"},
		calls: []known{
			{tool: "search_notes", args: `{"query":"Beacon"}`, prepared: "read", result: `{"hits":[{"name":"beacons","title":"Beacons","score":2,"line":"A beacon that turns needs a motor and a bearing. The bearing floats in mercury,"},{"name":"tides","title":"Tides","score":1,"line":"Near the beacon the flood runs for seven hours."}]}`},
			{tool: "search_notes", args: `{"query":"café","sort":"name"}`, prepared: "read", shape: true, result: `{"hits":[{"name":"café","title":"Café notes","score":1,"line":null}]}`},
			{tool: "search_notes", args: `{"query":"zebra"}`, prepared: "read", result: `{"hits":[]}`},
			{tool: "search_notes", args: `{"query":"","limit":1.5}`, prepared: "invalid input: query: String must contain at least 1 character(s); limit: Expected integer, received float"},
			{tool: "describe_note", args: `{"name":"tides"}`, prepared: "read", result: `{"name":"tides","title":"Tides","bytes":139,"sha256":"1cf293539cb42a9ea1f0e15b301924d2cb9a4cafc6905ca8b2dddbcf6f68aa15","words":27}`},
			{tool: "describe_note", args: `{"name":"../package"}`, prepared: "invalid input: name: a note's name has letters, digits, - and _"},
			{tool: "describe_note", args: `{"name":"none"}`, prepared: "read", result: `There is no note "none"`},
			{tool: "lend_note", args: `{"note":"tides"}`, prepared: "read", result: `{"lent":false,"loan":null}`},
			{tool: "lend_note", args: `{"note":"tides","to":"Zoë","until":"2026-04-01T00:00:00+02:00"}`, prepared: "write", result: `{"lent":true,"until":"2026-03-31T22:00:00.000Z","before":null}`},
			{tool: "lend_note", args: `{"note":"tides","to":"Ada","days":1}`, prepared: "write, asks", result: `{"lent":true,"until":"2026-03-05T05:06:07.000Z","before":"Zoë"}`},
			{tool: "cite_link", args: `{"url":"https://example.com/a/b.html?utm=1&id=7#top","keep":["id"]}`, prepared: "read", result: `{"content":[{"type":"text","text":"[b6f6fefb] example.com: b.html"}],"structuredContent":{"key":"b6f6fefb","url":"https://example.com/a/b.html?id=7"}}`},
			{tool: "cite_link", args: `{"url":"nothing"}`, prepared: "invalid input: url: Invalid url"},
		},
	},
	{
		dir:   "almanac",
		tools: []string{"convert_length", "moon_phase"},
		calls: []known{
			{tool: "moon_phase", args: `{"at":"2000-01-21T04:40:00Z"}`, prepared: "read", result: `{"age":14.4,"phase":"full"}`},
			{tool: "moon_phase", args: `{"at":"1999-12-22T18:31:24+01:00"}`, prepared: "read", result: `{"age":14.5,"phase":"full"}`},
			{tool: "moon_phase", args: `{"at":"yesterday"}`, prepared: "invalid input: at: Invalid ISO datetime"},
			{tool: "convert_length", args: `{"value":2,"from":"mile","to":"cable"}`, prepared: "read", result: `{"cable":20}`},
			{tool: "convert_length", args: `{"value":1,"from":"cable","to":["metre","fathom"]}`, prepared: "read", result: `{"metre":185.2,"fathom":101.269}`},
			{tool: "convert_length", args: `{"value":-1,"from":"foot","to":[]}`, prepared: `invalid input: value: Too small: expected number to be >=0; from: Invalid option: expected one of "metre"|"fathom"|"cable"|"mile"; to: Too small: expected array to have >=1 items`},
		},
	},
	{
		dir:   "echo-july",
		tools: []string{"echo"},
		calls: []known{
			{tool: "echo", args: `{"text":"hello"}`, prepared: "read", result: `{"text":"hello","agent":"echo-july","session":"live"}`},
		},
	},
	{
		dir:   "compliance",
		tools: []string{"list_controls", "record_finding", "show_control"},
		calls: []known{
			{tool: "list_controls", args: `{"family":"access"}`, prepared: "read", result: `{"count":2,"controls":[{"id":"AC-1","title":"Every person has an account of their own"},{"id":"AC-2","title":"Access ends with employment"}]}`},
			{tool: "list_controls", args: `{"family":"none"}`, prepared: `invalid input: family: must be one of "access", "logging", "backup"`},
			{tool: "show_control", args: `{"id":"ba-1"}`, prepared: "read", result: `{"id":"BA-1","family":"backup","title":"A backup was restored this year","asks":["restore date","who did it"]}`},
			{tool: "show_control", args: `{"id":"XX-9"}`, prepared: "read", result: "There is no control XX-9; there are AC-1, AC-2, LO-1, BA-1"},
			{tool: "show_control", args: `{}`, prepared: "invalid input: id: is required"},
			{tool: "record_finding", args: `{"id":"AC-1","verdict":"met"}`, prepared: "write", result: `{"content":[{"type":"text","text":"AC-1: met"}]}`},
			{tool: "record_finding", args: `{"id":"AC-1","verdict":"not met","note":"shared"}`, prepared: "write, asks", result: `{"content":[{"type":"text","text":"AC-1: not met (again)"}]}`},
		},
	},
	{
		dir:   "newsroom",
		tools: []string{"check_item", "keep_item"},
		calls: []known{
			{tool: "check_item", args: `{"title":"Chuva fecha escolas","link":"https://www.agencia.example/1"}`, prepared: "read", result: `{"score":90,"publishable":true,"reasons":["trusted source"]}`},
			{tool: "check_item", args: `{"title":"VÍDEO: veja","link":"https://bit.ly/x"}`, prepared: "read", result: `{"score":0,"publishable":false,"reasons":["hidden source: bit.ly","loud headline"]}`},
			{tool: "check_item", args: `{"title":"","link":"https://a.example"}`, prepared: "invalid input: title: must have at least 1 character, not 0"},
			{tool: "keep_item", args: `{"title":"Chuva","link":"https://agencia.example/1","score":90}`, prepared: "write", result: `{"id":"art_story/06d3d4d40289","key":"06d3d4d40289"}`},
		},
	},
	{
		dir:   "tide-desk",
		tools: []string{"high_water"},
		calls: []known{
			{tool: "high_water", args: `{"port":"Dover"}`, prepared: "read", result: `{"port":"Dover","time":"11:40","metres":6.1}`},
			{tool: "high_water", args: `{"port":"Rome"}`, prepared: "read", result: "I know no port Rome; I know brest, dover, bergen, cuxhaven."},
			{tool: "high_water", args: `{}`, prepared: "invalid input: port: is required"},
		},
	},
}
