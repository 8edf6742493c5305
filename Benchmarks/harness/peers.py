"""The same tasks by other tools, on the same store: each as its users would write it.

Each peer is a function from a task and the store's path to the command that does it. They know nothing of Core
Data's metadata, so they do less than modelc has to.
"""
import os
import shutil
import sqlite3
import subprocess
import sys

PACKAGES = ["alembic==1.20.1", "sqlalchemy==2.1.9", "django==5.2.19", "sqlite-utils==4.2.1"]
TASKS = ["T1", "T2", "T3", "T4", "T5", "T6"]


def environment(folder):
    """An environment with the peers in it; made once."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(os.path.join(folder, "complete")):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.check_call([sys.executable, "-m", "venv", folder])
        subprocess.check_call([python, "-m", "pip", "install", "--quiet", *PACKAGES])
        open(os.path.join(folder, "complete"), "w").close()
    return python


class Peers:
    def __init__(self, store, work, python):
        """Reads the tables of `store` as they are; writes scripts to `work`, run by `python` (None: plain SQL only)."""
        self.work, self.python = work, python
        connection = sqlite3.connect(store)
        self.columns = {
            table: [(row[1], row[2] + (" PRIMARY KEY" if row[5] else "")) for row in
                    connection.execute(f"pragma table_info({table})")]
            for table in ("ZLINEITEM", "ZCUSTOMER", "ZORDER")}
        self.address = connection.execute("select max(Z_ENT) + 1 from Z_PRIMARYKEY").fetchone()[0]
        connection.close()

    @property
    def names(self):
        return ["SQL"] + (["sqlite-utils", "Alembic", "Django"] if self.python else [])

    def prepare(self, name, path):
        """What the tool would find in a store that it has managed from the beginning."""
        if name != "Django":
            return
        connection = sqlite3.connect(path)
        connection.execute(
            "create table django_migrations (id integer not null primary key autoincrement, app varchar(255) not null,"
            " name varchar(255) not null, applied datetime not null)")
        connection.execute(
            "insert into django_migrations (app, name, applied) values ('app', '0001_initial', '2026-01-01')")
        connection.commit()
        connection.close()

    def command(self, name, task, path):
        return getattr(self, name.lower().replace("-", "_"))(task, path)

    # Plain SQL: SQLite's twelve steps.

    def twelve(self, values={}, renamed={}, table="ZLINEITEM", new=None, added=(), declared={}, before={}):
        new = new or table
        columns = [(before.get(name, name), kind) for name, kind in self.columns["ZLINEITEM"]] + list(added)
        declarations = [declared.get(name, f"{renamed.get(name, name)} {kind}") for name, kind in columns]
        targets = ", ".join(renamed.get(name, name) for name, _ in columns)
        sources = ", ".join(values.get(name, "NULL" if (name, kind) in added else name) for name, kind in columns)
        return [
            "pragma foreign_keys = off", "begin", f"create table tmp_new ({', '.join(declarations)})",
            f"insert into tmp_new ({targets}) select {sources} from {table}", f"drop table {table}",
            f"alter table tmp_new rename to {new}", f"create index {new}_ZORDER_INDEX on {new} (ZORDER)",
            f"create index {new}_ZPRODUCT_INDEX on {new} (ZPRODUCT)", "commit"]

    @property
    def split(self):
        return [
            "create table ZADDRESS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCUSTOMER INTEGER,"
            " ZCITY VARCHAR, ZSTREET VARCHAR)",
            f"insert into ZADDRESS select Z_PK, {self.address}, 1, Z_PK, ZCITY, ZSTREET from ZCUSTOMER",
            "create index ZADDRESS_ZCUSTOMER_INDEX on ZADDRESS (ZCUSTOMER)",
            "alter table ZCUSTOMER add column ZADDRESS INTEGER", "update ZCUSTOMER set ZADDRESS = Z_PK",
            "create index ZCUSTOMER_ZADDRESS_INDEX on ZCUSTOMER (ZADDRESS)",
            "alter table ZCUSTOMER drop column ZCITY", "alter table ZCUSTOMER drop column ZSTREET",
            "alter table ZORDER add column ZLABEL VARCHAR", LABEL]

    def sql(self, task, path):
        barcode = ("ZBARCODE", "VARCHAR")
        required = {"ZDISCOUNT": "ZDISCOUNT FLOAT NOT NULL DEFAULT 0.0"}
        first, zero = self.twelve(added=[barcode]), {"ZDISCOUNT": "coalesce(ZDISCOUNT, 0.0)"}
        rename = {"ZMEMO": "ZREMARK"}
        statements = {
            "T1": first,
            "T2": self.twelve(renamed=rename, new="ZORDERLINE"),
            "T3": self.twelve(values=zero, declared=required),
            "T4": self.twelve(
                values={"ZQUANTITY": "cast(ZQUANTITY as text)"}, declared={"ZQUANTITY": "ZQUANTITY VARCHAR"}),
            "T5": ["begin", *self.split, "commit"],
            "policy": self.twelve(
                added=[("ZCAPTION", "VARCHAR")], values={"ZCAPTION": "ZTITLE || ' × ' || ZQUANTITY"}),
            "T6": first
            + self.twelve(renamed=rename, new="ZORDERLINE", added=[barcode], values={"ZBARCODE": "ZBARCODE"})
            + self.twelve(
                values={**zero, "ZBARCODE": "ZBARCODE"}, declared=required, table="ZORDERLINE", added=[barcode],
                before=rename),
        }
        return ["sqlite3", "-bail", path, ";".join(statements[task]) + ";"]

    # sqlite-utils

    def sqlite_utils(self, task, path):
        add = "db['ZLINEITEM'].add_column('ZBARCODE', str)"
        rename = "db['ZLINEITEM'].transform(rename={'ZMEMO': 'ZREMARK'}); db.rename_table('ZLINEITEM', 'ZORDERLINE')"
        require = (
            "db.execute('update ZLINEITEM set ZDISCOUNT = 0.0 where ZDISCOUNT is null'); db.conn.commit(); "
            "db['ZLINEITEM'].transform(not_null={'ZDISCOUNT'}, defaults={'ZDISCOUNT': 0.0})")
        script = {
            "T1": add, "T2": rename, "T3": require,
            "T4": "db['ZLINEITEM'].transform(types={'ZQUANTITY': str})",
            "T5": "db['ZCUSTOMER'].extract(['ZCITY', 'ZSTREET'], table='ZADDRESS', fk_column='ZADDRESS'); "
            f"db['ZORDER'].add_column('ZLABEL', str); db.execute({LABEL!r}); db.conn.commit()",
            "T6": "; ".join([add, rename, require.replace("ZLINEITEM", "ZORDERLINE")]),
        }[task]
        return [self.python, "-c", f"import sqlite_utils; db = sqlite_utils.Database({path!r}); {script}"]

    # Alembic, in batch mode

    def alembic(self, task, path):
        add = ["with op.batch_alter_table('ZLINEITEM') as b: b.add_column(sa.Column('ZBARCODE', sa.String()))"]
        rename = [
            "with op.batch_alter_table('ZLINEITEM') as b: b.alter_column('ZMEMO', new_column_name='ZREMARK')",
            "op.rename_table('ZLINEITEM', 'ZORDERLINE')"]
        require = [
            "op.execute('update ZLINEITEM set ZDISCOUNT = 0.0 where ZDISCOUNT is null')",
            "with op.batch_alter_table('ZLINEITEM') as b:"
            " b.alter_column('ZDISCOUNT', nullable=False, server_default='0.0')"]
        steps = {
            "T1": [add], "T2": [rename], "T3": [require],
            "T4": [["with op.batch_alter_table('ZLINEITEM') as b: b.alter_column('ZQUANTITY', type_=sa.String())"]],
            "T5": [
                [f"op.execute({statement!r})" for statement in self.split[:6]]
                + ["with op.batch_alter_table('ZCUSTOMER') as b: b.drop_column('ZCITY'); b.drop_column('ZSTREET')",
                   "op.add_column('ZORDER', sa.Column('ZLABEL', sa.String()))", f"op.execute({LABEL!r})"]],
            "T6": [add, rename, [line.replace("ZLINEITEM", "ZORDERLINE") for line in require]],
        }[task]
        folder = os.path.join(self.work, f"alembic-{task}")
        write(folder, "alembic.ini", f"[alembic]\nscript_location = {folder}/m\nsqlalchemy.url = sqlite:///{path}\n")
        write(folder, "m/env.py", ALEMBIC_ENVIRONMENT)
        for index, lines in enumerate(steps):
            before = f"'v{index - 1}'" if index else None
            write(
                folder, f"m/versions/v{index}.py",
                f"revision = 'v{index}'\ndown_revision = {before}\nfrom alembic import op\nimport sqlalchemy as sa\n"
                "def upgrade():\n" + "".join(f"    {line}\n" for line in lines))
        return [self.python, "-m", "alembic", "-c", f"{folder}/alembic.ini", "upgrade", "head"]

    # Django

    def django(self, task, path):
        add = ["migrations.AddField('lineitem', 'barcode', models.TextField(null=True, db_column='ZBARCODE'))"]
        rename = [
            "migrations.RenameField('lineitem', 'zmemo', 'zremark')",
            "migrations.AlterField('lineitem', 'zremark', models.TextField(null=True, db_column='ZREMARK'))",
            "migrations.RenameModel('LineItem', 'OrderLine')",
            "migrations.AlterModelTable('orderline', 'ZORDERLINE')"]
        require = [
            "migrations.AlterField('lineitem', 'zdiscount', models.FloatField(default=0.0, db_column='ZDISCOUNT'))"]
        steps = {
            "T1": [add], "T2": [rename], "T3": [require],
            "T4": [["migrations.AlterField('lineitem', 'zquantity',"
                    " models.TextField(null=True, db_column='ZQUANTITY'))"]],
            "T5": [[
                f"migrations.RunSQL({self.split[:6]!r})", "migrations.RemoveField('customer', 'zcity')",
                "migrations.RemoveField('customer', 'zstreet')",
                "migrations.AddField('order', 'label', models.TextField(null=True, db_column='ZLABEL'))",
                "migrations.RunPython(fill)"]],
            "T6": [add, rename, [line.replace("lineitem", "orderline") for line in require]],
        }[task]
        folder = os.path.join(self.work, f"django-{task}")
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("app/__init__.py", "app/migrations/__init__.py", "app/models.py"):
            write(folder, name, "")
        write(
            folder, "settings.py",
            "SECRET_KEY = 'x'\nINSTALLED_APPS = ['app']\n"
            f"DATABASES = {{'default': {{'ENGINE': 'django.db.backends.sqlite3', 'NAME': {path!r}}}}}\n")
        tables = [("LineItem", "ZLINEITEM"), ("Customer", "ZCUSTOMER"), ("Order", "ZORDER")]
        models = ", ".join(
            f"migrations.CreateModel('{name}', [{', '.join(map(django_field, self.columns[table]))}],"
            f" options={{'db_table': '{table}'}})" for name, table in tables)
        write(folder, "app/migrations/0001_initial.py", django_migration("", models))
        for index, operations in enumerate(steps):
            before = "0001_initial" if index == 0 else f"000{index + 1}_x"
            write(
                folder, f"app/migrations/000{index + 2}_x.py",
                django_migration(f"('app', '{before}')", ", ".join(operations)))
        return [
            self.python, "-c",
            f"import sys, os; sys.path.insert(0, {folder!r}); os.environ['DJANGO_SETTINGS_MODULE'] = 'settings'; "
            "import django; django.setup(); from django.core.management import call_command; "
            "call_command('migrate', verbosity=0)"]


LABEL = (
    "update ZORDER set ZLABEL = (select ZNAME || ' <' || ZEMAIL || '>' from ZCUSTOMER c"
    " where c.Z_PK = ZORDER.ZCUSTOMER)")

ALEMBIC_ENVIRONMENT = """\
from alembic import context
from sqlalchemy import create_engine

engine = create_engine(context.config.get_main_option('sqlalchemy.url'))
with engine.connect() as connection:
    context.configure(connection=connection, render_as_batch=True, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()
"""

DJANGO_FIELDS = {
    "INTEGER": "BigIntegerField", "TIMESTAMP": "FloatField", "DECIMAL": "FloatField", "FLOAT": "FloatField",
    "VARCHAR": "TextField", "BLOB": "BinaryField"}


def django_field(column):
    name, kind = column
    if name == "Z_PK":
        return "('pk_', models.BigAutoField(primary_key=True, db_column='Z_PK'))"
    index = ", db_index=True" if name in ("ZORDER", "ZPRODUCT") else ""
    return (
        f"('{name.lower().strip('_').replace('_', '')}',"
        f" models.{DJANGO_FIELDS[kind.split()[0]]}(null=True, db_column='{name}'{index}))")


def django_migration(dependency, operations):
    return f"""\
from django.db import migrations, models
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Concat


def fill(apps, _):
    orders, customers = apps.get_model('app', 'Order'), apps.get_model('app', 'Customer')
    text = Concat('zname', Value(' <'), 'zemail', Value('>'), output_field=models.TextField())
    found = customers.objects.filter(pk=OuterRef('zcustomer')).annotate(x=text).values('x')[:1]
    orders.objects.update(label=Subquery(found))


class Migration(migrations.Migration):
    dependencies = [{dependency}]
    operations = [{operations}]
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
