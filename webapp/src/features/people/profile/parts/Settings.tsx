import { chakra, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import type { Account, Notification, UserSettings } from "@/api/schema.gen";
import { errorTexts } from "@/lib/texts/errors";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useUnsaved } from "@/store/unsaved";
import { Switch } from "@/ui/form/fields";
import { editTexts } from "../texts";
import { SaveRow, Section } from "./Section";

const t = editTexts.settings;

type Kind = Notification["type"];
type Muted = "mutedInApp" | "mutedEmail";

const kinds = Object.keys(t.types) as Kind[];
const ways: { muted: Muted; all: "inApp" | "email"; name: string }[] = [
  { muted: "mutedInApp", all: "inApp", name: t.inAppColumn },
  { muted: "mutedEmail", all: "email", name: t.emailColumn },
];

const same = (one: UserSettings, other: UserSettings) =>
  one.inApp === other.inApp &&
  one.email === other.email &&
  ways.every(({ muted }) => [...one[muted]].sort().join() === [...other[muted]].sort().join());

/** Muting says what is not told; the boxes say what is. */
function toggled(settings: UserSettings, muted: Muted, kind: Kind): UserSettings {
  const list = settings[muted];
  return { ...settings, [muted]: list.includes(kind) ? list.filter((one) => one !== kind) : [...list, kind] };
}

interface RowProps {
  kind: Kind;
  settings: UserSettings;
  onToggle: (muted: Muted) => void;
}

function Row({ kind, settings, onToggle }: RowProps) {
  const always = ["security_alert", "money_frozen", "money_thawed", "account_remedy"].includes(kind);
  return (
    <chakra.tr borderTopWidth="1px" borderColor="border">
      <chakra.th scope="row" textAlign="start" fontWeight="500" textStyle="body" py="2">
        {t.types[kind]}
      </chakra.th>
      {ways.map(({ muted, all, name }) => (
        <chakra.td key={muted} textAlign="center">
          <chakra.label display="inline-flex" boxSize="11" alignItems="center" justifyContent="center" cursor="pointer">
            <chakra.input
              type="checkbox"
              boxSize="6"
              accentColor="brand"
              aria-label={t.each(t.types[kind], name)}
              disabled={always || !settings[all]}
              checked={always || (settings[all] && !settings[muted].includes(kind))}
              onChange={() => onToggle(muted)}
            />
          </chakra.label>
        </chakra.td>
      ))}
    </chakra.tr>
  );
}

function Table({ settings, onChange }: { settings: UserSettings; onChange: (settings: UserSettings) => void }) {
  return (
    <chakra.table width="full" css={{ borderCollapse: "collapse" }}>
      <thead>
        <tr>
          {[t.kind, ...ways.map(({ name }) => name)].map((name, at) => (
            <chakra.th key={name} scope="col" textStyle="small" color="fg.muted" textAlign={at ? "center" : "start"}>
              {name}
            </chakra.th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <Row
            key={kind}
            kind={kind}
            settings={settings}
            onToggle={(muted) => onChange(toggled(settings, muted, kind))}
          />
        ))}
      </tbody>
    </chakra.table>
  );
}

/** Notification settings: topics, in the app and by e-mail. */
export function Settings({ account }: { account: Account }) {
  const saveSettings = useStore((state) => state.saveSettings);
  const [draft, setDraft] = useState<UserSettings>();
  const [saving, setSaving] = useState(false);
  const settings = draft ?? account.settings;
  const dirty = draft !== undefined && !same(draft, account.settings);
  useUnsaved(dirty);
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSaving(true);
    try {
      succeed(await saveSettings(settings));
      setDraft(undefined);
    } catch (error) {
      report(error, errorTexts.notAnswered.updateInfo);
    }
    setSaving(false);
  };
  return (
    <Section id="settings" title={t.title} lead={t.lead}>
      <form onSubmit={save}>
        <Stack gap="4">
          <Switch
            label={t.inApp}
            checked={settings.inApp}
            onChange={() => setDraft({ ...settings, inApp: !settings.inApp })}
          />
          <Switch
            label={t.email}
            checked={settings.email}
            onChange={() => setDraft({ ...settings, email: !settings.email })}
          />
          <Table settings={settings} onChange={setDraft} />
          <Stack gap="1" textStyle="small" color="fg.muted">
            <p>{t.together}</p>
            <p>{t.always}</p>
          </Stack>
          <SaveRow dirty={dirty} saving={saving} />
        </Stack>
      </form>
    </Section>
  );
}
