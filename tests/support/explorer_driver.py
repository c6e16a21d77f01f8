"""What `test_explorer` runs on a virtual screen: Weka's Explorer, operated by mouse and keyboard.

Argument: a folder for pictures of the screen. What was read on the screen is printed as JSON. With a second argument,
the number of Explorers that are open at the same time, each makes a file in the folder and waits for the others'.
"""

import contextlib
import faulthandler
import json
import os
import re
import sys
import threading
import time
import traceback
from pathlib import Path

import jpype

import wekaconf as wc
from wekaconf.bridge._explorer import explore

ARFF = Path(__file__).parents[2] / "arff"
PATIENCE = 30
"""Seconds until something must have appeared."""
TRIES = 4
"""How often something is done again that a busy screen may have lost."""
LONGEST = 280
"""Seconds until all must be done."""


class Screen:
    """Finds what is shown, and clicks on it."""

    def __init__(self, pictures):
        self.pictures = Path(pictures)
        self.java = jpype.JClass
        self.robot = self.java("java.awt.Robot")()
        self.robot.setAutoDelay(40)

    def windows(self):
        return [window for window in self.java("java.awt.Window").getWindows() if window.isShowing()]

    def components(self, kind, within=None):
        """Those of a class that are on the screen, of the newest window first."""
        wanted, found = self.java(kind), []
        waiting = list(within or reversed(self.windows()))
        while waiting:
            component = waiting.pop(0)
            if not component.isShowing():
                continue
            if isinstance(component, wanted):
                found.append(component)
            if isinstance(component, self.java("java.awt.Container")):
                waiting = [*component.getComponents(), *waiting]
        return found

    def wait(self, kind, matches=lambda _: True, seconds=PATIENCE):
        """The first component that matches, as soon as it is there."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for component in self.components(kind):
                if matches(component):
                    time.sleep(0.3)
                    return component
            time.sleep(0.1)
        raise TimeoutError(f"no {kind} appeared")

    def reach(self, act, kind, matches=lambda _: True, without_mouse=None):
        """The first component that matches once something is done, which is done again if a busy screen has lost it.

        If there is a way without the mouse, it is the second.
        """
        for way in [act, *[without_mouse or act] * (TRIES - 1)]:
            way()
            with contextlib.suppress(TimeoutError):
                return self.wait(kind, matches, PATIENCE / 2)
        raise TimeoutError(f"no {kind} appeared, whatever was done")

    def place(self, component):
        """Where it lies, as soon as it has stopped moving.

        Without a window manager, Java may hold on to (0, 0) for a window that lies elsewhere, until it is moved.
        """
        window = self.java("javax.swing.SwingUtilities").getWindowAncestor(component)
        if window and window.getOwner() and (window.getX(), window.getY()) == (0, 0):
            self.do(lambda: window.setLocation(10, 10))
        before, place = None, component.getLocationOnScreen()
        while place != before:
            time.sleep(0.1)
            before, place = place, component.getLocationOnScreen()
        return place

    def do(self, change):
        """Change what is shown in the one thread that may."""
        self.java("java.awt.EventQueue").invokeAndWait(jpype.JProxy("java.lang.Runnable", dict={"run": change}))

    def busy_with(self):
        """Where the thread that draws and hears clicks stands."""
        for thread, frames in self.java("java.lang.Thread").getAllStackTraces().items():
            if "AWT-EventQueue" in str(thread.getName()):
                yield from map(str, frames)

    def click(self, component, x=None, y=None, button=1):
        place = self.place(component)
        x = component.getWidth() // 2 if x is None else x
        y = component.getHeight() // 2 if y is None else y
        self.robot.mouseMove(int(place.x + x), int(place.y + y))
        mask = self.java("java.awt.event.InputEvent").getMaskForButton(button)
        self.robot.mousePress(mask)
        self.robot.mouseRelease(mask)
        time.sleep(0.4)

    def pick(self, is_picked, opened, spot):
        """Click on a spot of a list, which vanishes once a click has been heard there or elsewhere."""
        shown = opened()
        for _ in range(TRIES):
            self.click(shown, *spot(shown))
            if is_picked():
                return
            if not shown.isShowing():
                shown = opened()
        raise TimeoutError("a click picks nothing")

    def dismiss(self, component, text):
        """Click on a button until its window is gone; a busy screen may lose clicks, so at last without the mouse."""
        began = time.monotonic()
        while component.isShowing():
            waited = time.monotonic() - began
            if waited > PATIENCE:
                raise TimeoutError(f"{text} does not close the window")
            window = self.java("javax.swing.SwingUtilities").getWindowAncestor(component)
            for button in self.components("javax.swing.AbstractButton", [window] if window else []):
                if str(button.getText()) == text and button.isShowing():
                    if waited < PATIENCE / 3:
                        self.click(button)
                    else:
                        self.do(button.doClick)
                    break

    def rest(self):
        """Wait until nothing runs any more that Start began: a dialog that closes as the last window does may wait."""
        end = time.monotonic() + PATIENCE
        while any("ClassifierPanel" in frame for frame in self.frames()):
            if time.monotonic() > end:
                raise TimeoutError("what Start began goes on")
            time.sleep(0.1)

    def frames(self):
        """Where all threads stand."""
        for frames in self.java("java.lang.Thread").getAllStackTraces().values():
            yield from map(str, frames)

    def button(self, text):
        return self.wait("javax.swing.AbstractButton", lambda button: str(button.getText()) == text)

    def picture(self, name, height=750):
        size = self.java("java.awt.Dimension")(1000, height)
        image = self.robot.createScreenCapture(self.java("java.awt.Rectangle")(size))
        file = self.java("java.io.File")(str(self.pictures / f"{name}.png"))
        self.java("javax.imageio.ImageIO").write(image, "png", file)

    def close(self, window):
        events = self.java("java.awt.event.WindowEvent")
        self.java("java.awt.Toolkit").getDefaultToolkit().getSystemEventQueue().postEvent(
            events(window, events.WINDOW_CLOSING)
        )
        time.sleep(0.5)


def choose(screen, name):
    """A classifier in the list of those below trees, on the tab Classify; all that stand there."""
    tabs = screen.wait("javax.swing.JTabbedPane")
    stood = []

    def read(tree):
        rows = [str(tree.getPathForRow(i).getLastPathComponent()) for i in range(tree.getRowCount())]
        stood[:] = [re.sub("<.*?>", "", text) for text in rows]  # what cannot read the data is grey

    def opened():
        screen.do(lambda: tabs.setSelectedIndex(1))
        tree = screen.reach(lambda: screen.click(screen.button("Choose")), "javax.swing.JTree")
        read(tree)
        if name not in stood:
            screen.do(lambda: tree.expandRow(stood.index("trees")))
            read(tree)
        screen.do(lambda: tree.scrollRowToVisible(stood.index(name)))
        time.sleep(0.3)
        screen.picture("list")
        return tree

    def spot(tree):
        bounds = tree.getRowBounds(stood.index(name))
        return bounds.x + 30, bounds.y + bounds.height // 2

    def is_picked():
        return any(
            str(panel.getClassifier().getClass().getSimpleName()) == name
            for panel in screen.components("weka.gui.explorer.ClassifierPanel")
        )

    screen.pick(is_picked, opened, spot)
    return stood


def output(screen):
    """What is printed about a cross-validation, once it has been started and has ended."""
    area = screen.reach(
        lambda: screen.click(screen.button("Start")),
        "javax.swing.JTextArea",
        lambda area: "Confusion Matrix" in str(area.getText()),
    )
    return str(area.getText())


def menu_item(screen, text, *place):
    """An item of the menu that a right click opens."""
    return screen.reach(
        lambda: screen.click(*place, button=3), "javax.swing.JMenuItem", lambda item: text in str(item.getText())
    )


def operate_beside(screen, number):
    """Evaluate while that many Explorers are open."""
    said = {"list": choose(screen, "ConfDTree")}
    (screen.pictures / f"{os.getpid()}.open").touch()
    while len(list(screen.pictures.glob("*.open"))) < number:
        time.sleep(0.1)
    return said | {"output": output(screen)}


def operate(screen):
    said = {"list": choose(screen, "ConfDTree")}
    variant = screen.reach(
        lambda: screen.click(screen.wait("weka.gui.PropertyPanel")),
        "javax.swing.JComboBox",
        lambda combo: "tdist" in [str(combo.getItemAt(i)) for i in range(combo.getItemCount())],
    )
    screen.picture("options", height=826)
    screen.pick(
        lambda: str(variant.getSelectedItem()) == "tdist",
        lambda: screen.reach(
            lambda: screen.click(variant),
            "javax.swing.JList",
            lambda one: one.getModel().getSize() == variant.getItemCount(),
            lambda: screen.do(lambda: variant.setPopupVisible(True)),
        ),
        lambda shown: (20, shown.getCellBounds(2, 2).getCenterY()),
    )
    screen.dismiss(variant, "OK")
    said["output"] = output(screen)
    screen.picture("output")

    results = screen.wait("javax.swing.JList", lambda one: one.getModel().getSize() > 0)
    visualizer = screen.reach(
        lambda: screen.click(menu_item(screen, "Visualize tree", results, 40, 8)),
        "weka.gui.treevisualizer.TreeVisualizer",
    )
    screen.picture("tree")
    screen.close(screen.java("javax.swing.SwingUtilities").getWindowAncestor(visualizer))

    panel = screen.wait("weka.gui.PropertyPanel")
    pane = screen.reach(lambda: screen.click(menu_item(screen, "Enter", panel)), "javax.swing.JOptionPane")
    [field] = screen.components("javax.swing.JTextField", [pane])
    screen.do(lambda: field.setText("weka.classifiers.trees.ID3SD -alpha 0.1 -p_total 0.9"))
    screen.dismiss(pane, "OK")
    dialog = screen.reach(
        lambda: screen.click(screen.button("Start")),
        "javax.swing.JOptionPane",
        lambda one: "-p_total" in str(one.getMessage()),
    )
    screen.picture("error")
    said["error"] = str(dialog.getMessage())
    screen.dismiss(dialog, "OK")
    screen.rest()
    return said


def main():
    data = wc.load_arff(ARFF / "iris.arff")

    def work():
        try:
            while not jpype.isJVMStarted() or not jpype.JClass("java.awt.Window").getWindows():
                time.sleep(0.2)
            screen = Screen(sys.argv[1])
            frame = screen.wait("javax.swing.JFrame")
            number = int(*sys.argv[2:])
            print(json.dumps(operate_beside(screen, number) if number else operate(screen)), flush=True)
            while frame.isShowing():
                screen.close(frame)
        except BaseException:
            traceback.print_exc()
            print(*screen.busy_with(), sep="\n", file=sys.stderr, flush=True)
            screen.picture("failure")
            os._exit(3)

    faulthandler.dump_traceback_later(LONGEST, exit=True)
    threading.Thread(target=work, daemon=True).start()
    explore(data)


if __name__ == "__main__":
    main()
