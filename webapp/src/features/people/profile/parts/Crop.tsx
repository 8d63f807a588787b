import { chakra, Stack } from "@chakra-ui/react";
import { type ChangeEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { profileTexts } from "../texts";
import { crop, type Framing, SIDE, start } from "./framing";

const t = profileTexts.avatar;

function useDrawn(picture: ImageBitmap, framing: Framing) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    const { x, y, side } = crop(picture, framing);
    // What is transparent would come out black.
    context.fillStyle = "white";
    context.fillRect(0, 0, SIDE, SIDE);
    context.drawImage(picture, x, y, side, side, 0, 0, SIDE, SIDE);
  }, [picture, framing]);
  return canvas;
}

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}

function Slider({ label, onChange, ...range }: SliderProps) {
  return (
    <chakra.label display="grid" gridTemplateColumns="8rem 1fr" alignItems="center" gap="3" textStyle="label">
      {label}
      <chakra.input
        {...range}
        type="range"
        step="0.01"
        width="full"
        minHeight="11"
        accentColor="brand"
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChange(Number(event.target.value))}
      />
    </chakra.label>
  );
}

interface CropProps {
  picture: ImageBitmap;
  saving: boolean;
  onSave: (canvas: HTMLCanvasElement) => void;
  onClose: () => void;
}

/** Chooses the square of a picture that becomes the avatar: by dragging, or with the keyboard by three sliders. */
export function Crop({ picture, saving, onSave, onClose }: CropProps) {
  const [framing, setFraming] = useState(start);
  const canvas = useDrawn(picture, framing);
  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons !== 1) return;
    const scale = 2 / event.currentTarget.clientWidth;
    const within = (value: number) => Math.min(1, Math.max(-1, value));
    setFraming(({ across, down, ...rest }) => ({
      ...rest,
      across: within(across - event.movementX * scale),
      down: within(down - event.movementY * scale),
    }));
  };
  const set = (name: keyof Framing) => (value: number) => setFraming((before) => ({ ...before, [name]: value }));
  return (
    <Modal
      open
      onClose={onClose}
      title={t.cropTitle}
      footer={
        <Button loading={saving} onClick={() => canvas.current && onSave(canvas.current)}>
          {t.save}
        </Button>
      }
    >
      <Stack gap="4" align="center">
        <p>{t.cropHelp}</p>
        <chakra.canvas
          ref={canvas}
          width={SIDE}
          height={SIDE}
          role="img"
          aria-label={t.preview}
          boxSize="14rem"
          borderRadius="full"
          cursor="grab"
          touchAction="none"
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
        />
        <Stack gap="1" width="full">
          <Slider label={t.zoom} value={framing.zoom} min={1} max={4} onChange={set("zoom")} />
          <Slider label={t.across} value={framing.across} min={-1} max={1} onChange={set("across")} />
          <Slider label={t.down} value={framing.down} min={-1} max={1} onChange={set("down")} />
        </Stack>
      </Stack>
    </Modal>
  );
}
